import {
  CreateSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CommandError, when } from '../terminal/command-errors.ts';
import { boundedJson } from '#records/json/own-json.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { withMembers } from '../registry/registry-text.ts';
import type { Members } from '../registry/registry-text.ts';
import { MOST_VALUES } from '#service/authentication/credentials.ts';

async function currentVersion(client: SecretsManagerClient, name: string) {
  const read = client.send(new GetSecretValueCommand({ SecretId: name, VersionStage: 'AWSCURRENT' }));
  const found = await read.catch(when(ResourceNotFoundException, () => undefined));
  return found && { text: found.SecretString ?? '', versionId: found.VersionId ?? '' };
}

/** The text of a secret, `undefined` when there is no such secret or it has no value yet. */
export async function secretText(client: SecretsManagerClient, name: string): Promise<string | undefined> {
  return (await currentVersion(client, name))?.text;
}

/** @returns whether it was created: it may be there, without a value or by somebody else who was first */
function isCreated(client: SecretsManagerClient, name: string, text: string): Promise<boolean> {
  const created = client.send(new CreateSecretCommand({ Name: name, SecretString: text })).then(() => true);
  return created.catch(when(ResourceExistsException, () => false));
}

/** The label of a value that is about to become the present one. One version has it at most. */
const EDITED = 'DAYBOOK_EDIT';

function isNotMoved(error: unknown): boolean {
  return (
    error instanceof InvalidParameterException ||
    error instanceof InvalidRequestException ||
    error instanceof ResourceNotFoundException
  );
}

/**
 * A conditional write. The value is stored beside the present one first, and nobody reads it there. Then the label
 * AWSCURRENT moves to it, from the version that the request names. Secrets Manager refuses this when the label is on
 * another version by then.
 *
 * @param base the version that it replaces, `undefined` when the secret has no value yet
 * @returns whether it is the present value now. `false`: somebody else changed the secret meanwhile
 */
async function isReplaced(
  client: SecretsManagerClient,
  name: string,
  text: string,
  base: string | undefined,
): Promise<boolean> {
  const { VersionId: versionId } = await client.send(
    new PutSecretValueCommand({ SecretId: name, SecretString: text, VersionStages: [EDITED] }),
  );
  try {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: name,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: versionId,
        ...(base !== undefined && { RemoveFromVersionId: base }),
      }),
    );
    return true;
  } catch (error) {
    if (!isNotMoved(error)) throw error;
    const now = (await currentVersion(client, name))?.versionId;
    // The answer was lost, and the second request found the label moved.
    if (now === versionId) return true;
    if (now === base) throw error;
    return false;
  }
}

const MOST_ATTEMPTS = 5;

/**
 * Edits a secret, or creates it. When somebody else changes it meanwhile, the edit is made again in their text. So no
 * change is lost.
 *
 * @param edit gives the new text, from the text or from `undefined` when there is none. It is called again with each
 * newer text
 * @throws {CommandError} when others write all the time
 */
export async function editSecret(
  client: SecretsManagerClient,
  name: string,
  edit: (text: string | undefined) => string,
): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const base = await currentVersion(client, name);
    const text = edit(base?.text);
    if (text === base?.text) return;
    if (base === undefined && (await isCreated(client, name, text))) return;
    if (await isReplaced(client, name, text, base?.versionId)) return;
  }
  throw new CommandError(
    `the secret ${name} was not changed: somebody else changed it at every attempt. Try again in a minute`,
  );
}

/** The most bytes of a secret in Secrets Manager. */
export const LARGEST_SECRET = 65_536;

export interface SecretPlace {
  name: string;
  /** What every `secretId` begins with, `undefined` when the stage allows none. */
  prefix: string | undefined;
}

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
