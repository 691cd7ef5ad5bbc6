import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Declares `daybook completion`, and the hidden `complete` that its scripts call. */
export function addCompletion(program: Program): void {
  const completion = program
    .command('completion')
    .description('Prints the script that lets a shell complete the words of this command.')
    .addHelpText(
      'after',
      examples(
        ['source <(daybook completion bash)', 'in bash, for this session'],
        ['daybook completion fish | source', 'in fish'],
        ['daybook completion powershell | Out-String | Invoke-Expression', 'in PowerShell'],
      ),
    );
  for (const shell of SHELLS) {
    completion
      .command(shell)
      .description(`The script for ${shell}.`)
      .addHelpText('after', examples([`daybook completion ${shell}`, 'prints the script']))
      .action(async () => {
        const { completionScript } = await import('./completion-script.ts');
        process.stdout.write(completionScript(shell));
      });
  }
  program
    .command('complete', { hidden: true })
    .description('Prints what a word may be, one a line, each with its description after a tab.')
    .requiredOption('--current <word>', 'what is typed of the word so far')
    .argument('[words...]', 'the words before it')
    .addHelpText('after', examples(['daybook complete --current=st --', 'status']))
    .action(async (words, { current }) => {
      const { complete } = await import('./complete.ts');
      process.stdout.write(complete(program, words, current));
    });
}
