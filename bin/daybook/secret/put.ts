import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import type { Members } from '#records/json/exact-json.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { readEntryInput } from './entry-input.ts';
import type { EntryInput } from './entry-input.ts';
import { secretOf } from './merchant-secret.ts';

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
  const { name } = secret;
  const before = await secret.entry();
  const isReplaced = before !== undefined;
  if (isReplaced) {
    output.note(
      `${name} has credentials of ${merchantCode} already. "${stage.lines.daybook('secret', 'rotate', merchantCode)}" keeps them until the service has the new ones.`,
    );
    if (!(await questions.confirm('Replace them?'))) return 1;
  }
  const input = await readEntryInput(context, false);
  const { current } = secret.read(input);
  const proof = unproven ? undefined : await tries(current);
  if (proof?.serves === false) throw notTaken(proof.message);
  await context.whole(`${name} is changed.`, () => secret.put(before, input));
  output.result({ merchantCode, secret: name, isReplaced, isProven: !unproven }, () => {
    output.line(
      `${name} has the credentials of ${merchantCode}.${unproven ? '' : ' The service takes them.'}`,
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
  if (names.has('username') || names.has('password')) names.add('accessToken');
  const { true: gone = [], false: kept = [] } = Object.groupBy(Object.entries(current), ([name]) =>
    names.has(name) ? 'true' : 'false',
  );
  return {
    ...Object.fromEntries([...kept, ...given]),
    ...(gone.length > 0 && { previous: Object.fromEntries(gone) }),
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
  const { name } = secret;
  const { daybook } = stage.lines;
  const before = await secret.entry();
  if (!isMembers(before))
    throw new CommandError(
      `the secret ${name} has no credentials of ${merchantCode}: "${daybook('secret', 'put', merchantCode)}" puts them there`,
    );
  const input = await readEntryInput(context, true);
  const rotated = rotatedEntry(before, input);
  if (rotated === undefined)
    throw new CommandError(`nothing was written: ${name} has these values for ${merchantCode} already`);
  const { current, previous } = secret.read(rotated);
  let served: Served = 'not proven';
  if (!unproven) {
    const proof = await tries(current);
    const isStillOld = !proof.serves && previous !== undefined && (await tries(previous)).serves;
    if (!proof.serves && !isStillOld) throw notTaken(proof.message);
    served = proof.serves ? 'current' : 'previous';
  }
  await context.whole(`${name} is changed.`, () => secret.put(before, rotated));
  output.result({ merchantCode, secret: name, rotated: Object.keys(input), served }, () => {
    output.line(`${name} has the new values of ${merchantCode}, and the old ones under "previous".`);
    output.line(SENTENCES[served](daybook('secret', 'check', merchantCode)));
  });
  return served === 'previous' ? 1 : 0;
}
