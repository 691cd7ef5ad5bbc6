import type { CommandContext, ExitStatus } from '../context.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { readEntryInput } from './entry-input.ts';
import { editEntry, readEntry, secretOf } from './merchant-secret.ts';
import { entryIn, secretText } from './stored-secret.ts';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '../registry/registry-text.ts';
import type { Lines } from '../stage/stage.ts';
import type { EntryInput } from './entry-input.ts';
import type { MerchantSecret } from './merchant-secret.ts';
import { isSameJson } from '#records/json/same-json.ts';

type Unproven = { unproven?: boolean | undefined };

function notTaken(message: string): CommandError {
  return new CommandError(
    `nothing was written: the service does not take these values: ${message}. Compare them with what the service shows for this merchant ("--unproven" writes them all the same)`,
  );
}

/** Puts a merchant's credentials into its secret. They are proven first, by a login and one page. */
export async function put(
  context: CommandContext,
  merchantCode: string,
  { unproven = false }: Unproven,
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
  const input = await readEntryInput(context, false);
  const { current } = readEntry(secret, input);
  if (!unproven) {
    const proof = await tries(current);
    if (!proof.serves) throw notTaken(proof.message);
  }
  await context.whole(`${place.name} is changed.`, () => editEntry(secret, before, input));
  output.result({ merchantCode, secret: place.name, isReplaced, isProven: !unproven }, () => {
    output.line(
      `${place.name} has the credentials of ${merchantCode}.${unproven ? '' : ' The service takes them.'}`,
    );
  });
  return 0;
}

/** The cipher without the algorithm, which has a default. */
function comparable(value: unknown): unknown {
  if (!isMembers(value)) return value;
  const { algorithm: _algorithm, ...others } = value;
  return others;
}

/**
 * An entry with new values. Those that they replace are under `previous`. A new user name or password ends the use
 * of an access token, because a token is used before a login.
 *
 * @returns `undefined` when no value is new
 */
export function rotatedEntry(entry: Members, input: EntryInput): Members | undefined {
  const { previous: _earlier, ...current } = entry;
  const given = Object.entries(input).filter(
    ([name, value]) => !isSameJson(comparable(value), comparable(current[name])),
  );
  if (given.length === 0) return undefined;
  const names = new Set(given.map(([name]) => name));
  const endsToken = (names.has('username') || names.has('password')) && !names.has('accessToken');
  const gone = (name: string) => names.has(name) || (endsToken && name === 'accessToken');
  const all = Object.entries(current);
  const previous = Object.fromEntries(all.filter(([name]) => gone(name)));
  const kept = all.filter(([name]) => !gone(name));
  return {
    ...Object.fromEntries([...kept, ...given]),
    ...(Object.keys(previous).length > 0 && { previous }),
  };
}

type Served = 'current' | 'previous' | 'not proven';

const SENTENCES: Record<Served, (check: string) => string> = {
  current: () => 'The service takes the new values.',
  previous: (check) =>
    `The service still takes the old values, and runs go on with them. Change them at the service, then try "${check}".`,
  'not proven': () => 'The values were not tried.',
};

/** Gives a merchant new values, and keeps those that they replace under `previous`. So no run fails meanwhile. */
export async function rotate(
  context: CommandContext,
  merchantCode: string,
  { unproven = false }: Unproven,
): Promise<ExitStatus> {
  const { output } = context;
  const { stage, secret, tries } = await secretOf(context, merchantCode);
  const { place, client } = secret;
  const before = membersOf(secret, await secretText(client, place.name), stage.lines);
  const input = await readEntryInput(context, true);
  const rotated = rotatedEntry(before, input);
  if (rotated === undefined) {
    throw new CommandError(`nothing was written: ${place.name} has these values for ${merchantCode} already`);
  }
  const { current, previous } = readEntry(secret, rotated);
  let served: Served = 'not proven';
  if (!unproven) {
    const proof = await tries(current);
    const isStillOld = !proof.serves && previous !== undefined && (await tries(previous)).serves;
    if (!proof.serves && !isStillOld) throw notTaken(proof.message);
    served = proof.serves ? 'current' : 'previous';
  }
  await context.whole(`${place.name} is changed.`, () => editEntry(secret, before, rotated));
  output.result({ merchantCode, secret: place.name, rotated: Object.keys(input), served }, () => {
    output.line(`${place.name} has the new values of ${merchantCode}, and the old ones under "previous".`);
    output.line(SENTENCES[served](stage.lines.daybook('secret', 'check', merchantCode)));
  });
  return served === 'previous' ? 1 : 0;
}

function membersOf({ merchantCode, place }: MerchantSecret, text: string | undefined, lines: Lines): Members {
  const entry = entryIn(text, merchantCode, place);
  if (isMembers(entry)) return entry;
  throw new CommandError(
    `the secret ${place.name} has no credentials of ${merchantCode}: "${lines.daybook('secret', 'put', merchantCode)}" puts them there`,
  );
}
