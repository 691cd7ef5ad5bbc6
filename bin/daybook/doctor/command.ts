import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook doctor`. */
export function addDoctor(program: Program, perform: Perform): void {
  program
    .command('doctor')
    .description('Checks everything that a stage needs to send its mails, and says what to do.')
    .option('--dns-server <address...>', "DNS servers to ask; default: this machine's")
    .addHelpText(
      'after',
      examples(
        [
          'daybook doctor --stage prod',
          'checks SES, DNS, schedules, alarms, registry, secrets, lake and more',
        ],
        ['daybook doctor --stage prod --json', 'the same for a script'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when something is wrong. A warning alone ends with 0.')
    .action(({ dnsServer = [] }, command) =>
      perform(command, async (context) => (await import('./doctor.ts')).doctor(context, dnsServer)),
    );
}
