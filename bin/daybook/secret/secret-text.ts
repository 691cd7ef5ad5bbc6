import { boundedJson } from '#records/json/own-json.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { withMembers } from '../registry/document/json-members.ts';
import type { Members } from '../registry/document/json-members.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { MOST_VALUES } from '#service/authentication/credentials.ts';

/** The most bytes of a secret in Secrets Manager. */
export const LARGEST_SECRET = 65_536;

/** How a secret is named in errors. */
export interface SecretPlace {
  name: string;
  /** What every `secretId` begins with, `undefined` when the stage allows none. */
  prefix: string | undefined;
}

/** The merchants' entries. @throws {CommandError} when it is not certain what the secret says */
function merchantsIn(text: string, { name }: SecretPlace): { secret: Members; merchants: Members } {
  const broken = (reason: string) =>
    new CommandError(`the secret ${name} ${reason}: repair it in the console of Secrets Manager first`);
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw broken(read.reason);
  if (read.repeats) throw broken('has a name twice in one object');
  const { json } = read;
  if (!isMembers(json)) throw broken('is not a JSON object');
  const { merchants = {} } = json;
  if (!isMembers(merchants)) throw broken('has something else than an object as "merchants"');
  return { secret: json, merchants };
}

/** An edit must change one entry only. */
function assertNothingLost(before: string, after: string, merchantCode: string, place: SecretPlace): void {
  const [was, is] = [merchantsIn(before, place), merchantsIn(after, place)];
  const others = (members: Members, without: string) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => name !== without));
  const isSame =
    isSameJson(others(was.secret, 'merchants'), others(is.secret, 'merchants')) &&
    isSameJson(others(was.merchants, merchantCode), others(is.merchants, merchantCode));
  if (!isSame) throw new Error(`the edit of the secret ${place.name} would change other entries`);
}

function tooLarge(bytes: number, merchantCode: string, { name, prefix }: SecretPlace): CommandError {
  const own =
    prefix === undefined
      ? 'Set credentials.prefix in the settings of the stage and deploy it. Then give the merchant a secret of its own with --secret-id'
      : `Give the merchant a secret of its own: --secret-id ${prefix}${merchantCode}`;
  return new CommandError(
    `the secret ${name} would have ${bytes.toLocaleString('en')} bytes, and 64 KiB is the most. ${own}`,
  );
}

/**
 * The text with an entry for the merchant, new or replaced. Everything else in it stays.
 *
 * @param text `undefined` or empty when there is no secret yet
 * @throws {CommandError} when the text cannot be edited, or there is no room
 */
export function withEntry(
  text: string | undefined,
  merchantCode: string,
  entry: Members,
  place: SecretPlace,
): string {
  const before = text === undefined || text.trim() === '' ? '{"merchants":{}}' : text;
  merchantsIn(before, place);
  const after = withMembers(before, { [merchantCode]: entry }, ['merchants']);
  assertNothingLost(before, after, merchantCode, place);
  const bytes = Buffer.byteLength(after);
  if (bytes > LARGEST_SECRET) throw tooLarge(bytes, merchantCode, place);
  return after;
}

/**
 * The same, if the entry is still the one that was looked at before.
 *
 * @param before `undefined` when there was none
 * @throws {CommandError} also when somebody else has put another entry meanwhile
 */
export function withEntryFor(
  text: string | undefined,
  merchantCode: string,
  { before, after }: { before: unknown; after: Members },
  place: SecretPlace,
): string {
  const now = entryIn(text, merchantCode, place);
  if (isSameJson(now, before) || isSameJson(now, after)) return withEntry(text, merchantCode, after, place);
  throw new CommandError(
    `nothing was written: somebody else changed the credentials of ${merchantCode} at this moment. Try theirs first, with the command secret check`,
  );
}

/** The text without the merchant's entry. @throws {CommandError} when the text cannot be edited */
export function withoutEntry(text: string, merchantCode: string, place: SecretPlace): string {
  const { merchants } = merchantsIn(text, place);
  if (!Object.hasOwn(merchants, merchantCode)) return text;
  const after = withMembers(text, { [merchantCode]: undefined }, ['merchants']);
  assertNothingLost(text, after, merchantCode, place);
  return after;
}

/** The merchant's entry as it is written, `undefined` when there is none. */
export function entryIn(text: string | undefined, merchantCode: string, place: SecretPlace): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  const { merchants } = merchantsIn(text, place);
  return Object.hasOwn(merchants, merchantCode) ? merchants[merchantCode] : undefined;
}
