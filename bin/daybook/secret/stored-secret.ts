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
import { isMembers } from '#records/json/exact-json.ts';
import { boundedJson } from '#records/json/own-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { MOST_VALUES, readSecretEntry } from '#service/authentication/credentials.ts';
import type { SecretEntry } from '#service/authentication/credentials.ts';
import { withMembers } from '../registry/registry-text.ts';
import type { Members } from '#records/json/exact-json.ts';
import { CommandError, when } from '../terminal/command-errors.ts';

/** The most bytes of a secret in Secrets Manager. */
export const LARGEST_SECRET = 65_536;

interface SecretPlace {
  name: string;
  /** What every `secretId` begins with, `undefined` when the stage allows none. */
  prefix: string | undefined;
}

function parsed(text: string, { name }: SecretPlace): { secret: Members; merchants: Members } {
  const broken = (reason: string) =>
    new CommandError(`the secret ${name} ${reason}: repair it in the console of Secrets Manager first`);
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw broken(read.reason);
  if (read.repeats) throw broken('has a name twice in one object');
  if (!isMembers(read.json)) throw broken('is not a JSON object');
  const { merchants = {} } = read.json;
  if (!isMembers(merchants)) throw broken('has something else than an object as "merchants"');
  return { secret: read.json, merchants };
}

/** An edit must change one entry only: all merchants may share the secret. */
function assertNothingLost(before: string, after: string, merchantCode: string, place: SecretPlace): void {
  const others = (text: string) => {
    const { secret, merchants } = parsed(text, place);
    const { [merchantCode]: _entry, ...ofOthers } = merchants;
    return { ...secret, merchants: ofOthers };
  };
  if (!isSameJson(others(before), others(after)))
    throw new Error(`the edit of the secret ${place.name} would change other entries`);
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

/** What a secret without a value stands for. */
function textOf(text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '{"merchants":{}}' : text;
}

/**
 * The text with an entry for the merchant, new or replaced. Everything else in it stays.
 *
 * @param given `undefined` or empty when there is no secret yet
 * @throws {CommandError} when the text cannot be edited, or there is no room
 */
export function withEntry(
  given: string | undefined,
  merchantCode: string,
  entry: Members,
  place: SecretPlace,
): string {
  const before = textOf(given);
  parsed(before, place);
  const after = withMembers(before, { [merchantCode]: entry }, ['merchants']);
  assertNothingLost(before, after, merchantCode, place);
  const bytes = Buffer.byteLength(after);
  if (bytes > LARGEST_SECRET) throw tooLarge(bytes, merchantCode, place);
  return after;
}

/** The text without the merchant's entry. @throws {CommandError} when the text cannot be edited */
export function withoutEntry(text: string, merchantCode: string, place: SecretPlace): string {
  if (!Object.hasOwn(parsed(text, place).merchants, merchantCode)) return text;
  const after = withMembers(text, { [merchantCode]: undefined }, ['merchants']);
  assertNothingLost(text, after, merchantCode, place);
  return after;
}

/** The present value of a secret, `undefined` when there is no such secret or it has no value yet. */
export async function currentVersion(client: SecretsManagerClient, name: string) {
  const wanted = new GetSecretValueCommand({ SecretId: name, VersionStage: 'AWSCURRENT' });
  const found = await client.send(wanted).catch(when(ResourceNotFoundException, () => undefined));
  return found && { text: found.SecretString ?? '', versionId: found.VersionId ?? '' };
}

/** The label of a value that is about to become the present one. One version has it at most. */
const EDITED = 'DAYBOOK_EDIT';

/** How often an edit is tried when somebody else writes at the same time. */
const MOST_ATTEMPTS = 5;

/** The secret in which a merchant's credentials are written. No error of it repeats a value. */
export class MerchantSecret {
  readonly merchantCode: string;
  /** Of the secret in Secrets Manager. */
  readonly name: string;
  readonly #place: SecretPlace;
  readonly #client = createSecretsManagerClient();

  constructor(merchantCode: string, place: SecretPlace) {
    this.merchantCode = merchantCode;
    this.name = place.name;
    this.#place = place;
  }

  /** The text of the secret, `undefined` when there is no such secret or it has no value yet. */
  async text(): Promise<string | undefined> {
    return (await currentVersion(this.#client, this.name))?.text;
  }

  /** The merchant's entry as it is written, `undefined` when there is none. @throws {CommandError} when the text cannot be edited */
  async entry(): Promise<unknown> {
    return this.#entryIn(await this.text());
  }

  /** Reads an entry as the functions do. @throws {SecretError} that names the member, never a value */
  read(entry: Members): SecretEntry {
    const text = JSON.stringify({ merchants: { [this.merchantCode]: entry } });
    return readSecretEntry(text, this.merchantCode, this.name);
  }

  /** @throws {CommandError} when the secret has no room for this entry */
  async assertRoom(entry: Members): Promise<void> {
    withEntry(await this.text(), this.merchantCode, entry, this.#place);
  }

  /**
   * Puts an entry in the place of the one that was read before.
   *
   * @param before `undefined` when there was none
   * @throws {CommandError} when somebody else has put another entry meanwhile, or there is no room
   */
  async put(before: unknown, after: Members): Promise<void> {
    await this.#edit((text) => {
      const now = this.#entryIn(text);
      if (isSameJson(now, before) || isSameJson(now, after))
        return withEntry(text, this.merchantCode, after, this.#place);
      throw new CommandError(
        `nothing was written: somebody else changed the credentials of ${this.merchantCode} at this moment. Try theirs first, with the command secret check`,
      );
    });
  }

  /** Removes the entry. There may be no such secret, or no entry in it. */
  async remove(): Promise<void> {
    await this.#edit((text) => text && withoutEntry(text, this.merchantCode, this.#place));
  }

  #entryIn(text: string | undefined): unknown {
    const { merchants } = parsed(textOf(text), this.#place);
    return Object.hasOwn(merchants, this.merchantCode) ? merchants[this.merchantCode] : undefined;
  }

  /**
   * Edits the secret, or creates it. When somebody else changes it meanwhile, the edit is made again in their text. So no
   * change is lost.
   *
   * @param edit gives the new text, from the text or from `undefined` when there is none
   * @throws {CommandError} when others write all the time
   */
  async #edit(edit: (text: string | undefined) => string | undefined): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const base = await currentVersion(this.#client, this.name);
      const text = edit(base?.text);
      if (text === undefined || text === base?.text) return;
      if (base === undefined && (await this.#isCreated(text))) return;
      if (await this.#isReplaced(text, base?.versionId)) return;
    }
    throw new CommandError(
      `the secret ${this.name} was not changed: somebody else changed it at every attempt. Try again in a minute`,
    );
  }

  /** @returns whether it was created: it may be there, without a value or by somebody else who was first */
  #isCreated(SecretString: string): Promise<boolean> {
    const created = this.#client.send(new CreateSecretCommand({ Name: this.name, SecretString }));
    return created.then(() => true).catch(when(ResourceExistsException, () => false));
  }

  /**
   * A conditional write. The value is stored beside the present one first, and nobody reads it there. Then the label
   * AWSCURRENT moves to it, from the version that the request names. Secrets Manager refuses this when the label is on
   * another version by then.
   *
   * @param base the version that it replaces, `undefined` when the secret has no value yet
   * @returns whether it is the present value now. `false`: somebody else changed the secret meanwhile
   */
  async #isReplaced(SecretString: string, base: string | undefined): Promise<boolean> {
    const SecretId = this.name;
    const { VersionId: versionId } = await this.#client.send(
      new PutSecretValueCommand({ SecretId, SecretString, VersionStages: [EDITED] }),
    );
    try {
      await this.#client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: versionId,
          ...(base !== undefined && { RemoveFromVersionId: base }),
        }),
      );
      return true;
    } catch (error) {
      const isNotMoved =
        error instanceof InvalidParameterException ||
        error instanceof InvalidRequestException ||
        error instanceof ResourceNotFoundException;
      if (!isNotMoved) throw error;
      const now = (await currentVersion(this.#client, this.name))?.versionId;
      // The answer was lost, and the second request found the label moved.
      if (now === versionId) return true;
      if (now === base) throw error;
      return false;
    }
  }
}
