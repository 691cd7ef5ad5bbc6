import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** Adds `daybook doctor`. */
export function addDoctor(program: Program): void {
  program
    .command('doctor')
    .description('Names everything that stands between a stage and its mails, and what mends it.')
    .option('--dns-server <address...>', "DNS servers to ask; default: this machine's")
    .addHelpText(
      'after',
      examples(
        ['daybook doctor --stage prod', 'looks at SES, DNS, schedules, alarms, registry, secrets and more'],
        [
          'daybook doctor --stage prod --json',
          'the same for a script; the exit status is 1 if something is wrong',
        ],
      ),
    )
    .action(async ({ dnsServer = [] }, command) => {
      await perform(command, async (context) => {
        const { doctor } = await import('./doctor.ts');
        return doctor(context, dnsServer);
      });
    });
}
