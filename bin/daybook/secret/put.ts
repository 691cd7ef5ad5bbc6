import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { noValues, readEntryInput } from './entry-input.ts';
import { readEntry, secretOf } from './merchant-secret.ts';
import { entryIn, withEntryFor, editSecret, secretText } from './stored-secret.ts';

interface PutOptions {
  unproven?: boolean | undefined;
}

/** The error when the service does not take credentials. */
export function notTaken(message: string): CommandError {
  return new CommandError(
    `nothing was written: the service does not take these values: ${message}. Compare them with what the service shows for this merchant ("--unproven" writes them all the same)`,
  );
}

/** Puts a merchant's credentials into its secret. They are proven first, by a login and one page. */
export async function put(
  context: CommandContext,
  merchantCode: string,
  { unproven = false }: PutOptions,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const { stage, secret, tries } = await secretOf(context, merchantCode);
  const { place, client } = secret;
  const before = entryIn(await secretText(client, place.name), merchantCode, place);
  const isReplaced = before !== undefined;
  if (isReplaced) {
    output.note(
      `${place.name} has credentials of ${merchantCode} already. "${stage.lines.daybook('secret', 'rotate', merchantCode)}" keeps them until the service has the new ones.`,
    );
    if (!(await questions.confirm('Replace them?'))) return 1;
  }
  const input = (await readEntryInput(context, false)) ?? fail();
  const { current } = readEntry(secret, input);
  if (!unproven) {
    const proof = await tries(current);
    if (!proof.serves) throw notTaken(proof.message);
  }
  await editSecret(client, place.name, (text) =>
    withEntryFor(text, merchantCode, { before, after: input }, place),
  );
  output.result({ merchantCode, secret: place.name, isReplaced, isProven: !unproven }, () => {
    output.line(
      `${place.name} has the credentials of ${merchantCode}.${unproven ? '' : ' The service takes them.'}`,
    );
  });
  return 0;
}

function fail(): never {
  throw noValues();
}
