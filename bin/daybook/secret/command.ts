import { described } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

const INPUT = `
It asks for the values, and does not show them. In a pipe, it reads them from stdin, as JSON:
  { "accessCode": "…", "cipher": { "key": "…", "iv": "…" }, "username": "…", "password": "…" }`;
const UNPROVEN = 'write the credentials without trying them at the service';

/** Declares `daybook secret`: the credentials of merchants. */
export function addSecret(program: Program, perform: Perform): void {
  const secret = described(
    program.command('secret'),
    'Writes, rotates and tries the credentials of merchants.',
    ['daybook secret check', 'tries the credentials of all merchants'],
  );
  described(
    secret.command('put').addHelpText('after', INPUT),
    "Writes a merchant's credentials into its secret, after a login that proves them.",
    ['daybook secret put 700009', 'asks for the values'],
    ['daybook secret put 700009 <entry.json', 'reads them from a file'],
  )
    .argument('<code>', "the merchant's code")
    .option('--unproven', UNPROVEN)
    .action(perform(async () => (await import('./put.ts')).put));
  const stays =
    'Values that you leave out stay as they are. While the service takes only the old ones, runs use those.';
  described(
    secret.command('rotate').addHelpText('after', `${INPUT}\n${stays}`),
    'Replaces credentials of a merchant, and keeps the old ones under "previous".',
    ['daybook secret rotate 700009', 'asks for the new values'],
    'Ends with 1 when the service does not take the new values.',
  )
    .argument('<code>', "the merchant's code")
    .option('--unproven', UNPROVEN)
    .action(perform(async () => (await import('./put.ts')).rotate));
  described(
    secret.command('check'),
    "Logs in and reads one page, with a merchant's current and previous credentials.",
    ['daybook secret check', 'tries the credentials of all merchants'],
    ['daybook secret check 700009', 'those of one merchant'],
    "Ends with 1 when the service does not take a merchant's current values.",
  )
    .argument('[codes...]', 'the codes of merchants; default: all of them')
    .action(perform(async () => (await import('./check.ts')).check));
}
