import type { S3Client } from '@aws-sdk/client-s3';
import { isSameJson } from '#records/json/same-json.ts';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import { allGroups, membersOf } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { codesInEntries } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { StoredObjectError, parseObject, readText, writeText } from '#runtime/s3-objects.ts';
import { registeredMerchantSchema } from './sql/registered-merchant.ts';
import type { RegisteredMerchant } from './sql/registered-merchant.ts';

/** Twenty thousand merchants with some 500 bytes each, and what was said of them before. */
const LARGEST = 64 * 1024 * 1024;

function namesOfGroups(registry: Registry): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const group of allGroups(registry).groups) {
    for (const code of membersOf(group, registry).codes) {
      const known = names.get(code);
      if (known === undefined) names.set(code, [group.name]);
      else known.push(group.name);
    }
  }
  return names;
}

/**
 * What the registry says now, added to what it said before. An entry that cannot be used says what it said.
 * @param at ISO 8601, UTC
 */
function registeredAt(
  before: readonly RegisteredMerchant[],
  registry: Registry,
  at: string,
): RegisteredMerchant[] {
  const groups = namesOfGroups(registry);
  const said = new Map(
    allMerchants(registry).merchants.map((merchant) => {
      const { merchantCode, name, timeZone, currency, invoiceStatuses = null, refunds, charges } = merchant;
      const words = { invoiceStatuses, refundStatuses: refunds.statuses, charges };
      return [
        merchantCode,
        { merchantCode, name, timeZone, currency, ...words, groups: groups.get(merchantCode) ?? [] },
      ];
    }),
  );
  const codes = codesInEntries(registry);
  const kept = before.map((row) => {
    if (row.until !== null) return row;
    const { since: _since, until: _until, ...known } = row;
    const now = said.get(row.merchantCode);
    const isSame = now === undefined ? codes.has(row.merchantCode) : isSameJson(now, known);
    if (isSame) said.delete(row.merchantCode);
    return isSame ? row : { ...row, until: at };
  });
  return [...kept, ...[...said.values()].map((now) => ({ ...now, since: at, until: null }))];
}

function rowsIn(text: string): RegisteredMerchant[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => parseObject(REGISTERED_MERCHANTS, line, registeredMerchantSchema));
}

/** Keeps {@link REGISTERED_MERCHANTS} up to the registry. */
export class RegisteredMerchants {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #registry: Pick<RegistrySource, 'load'>;

  constructor(s3: S3Client, bucket: string, registry: Pick<RegistrySource, 'load'>) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#registry = registry;
  }

  /**
   * Writes nothing when the registry says what it said, or another run is faster.
   * @param now milliseconds UTC
   * @throws {RegistryError} @throws {StoredObjectError} when the object is not what this wrote
   */
  async keep(now: number): Promise<void> {
    const { registry } = await this.#registry.load();
    const standing = await readText(this.#s3, this.#bucket, REGISTERED_MERCHANTS, LARGEST);
    const before = rowsIn(standing?.text ?? '');
    const rows = registeredAt(before, registry, new Date(now).toISOString());
    if (isSameJson(rows, before)) return;
    await this.#write(rows, standing?.version ?? null);
  }

  /**
   * Takes out all that was ever said of a merchant, which the registry must not have any more.
   * @throws {StoredObjectError} when another run is faster: then it has to be repeated
   */
  async forget(merchantCode: string): Promise<void> {
    const standing = await readText(this.#s3, this.#bucket, REGISTERED_MERCHANTS, LARGEST);
    if (standing === undefined) return;
    const before = rowsIn(standing.text);
    const rows = before.filter((row) => row.merchantCode !== merchantCode);
    if (rows.length === before.length) return;
    if ((await this.#write(rows, standing.version)) === undefined)
      throw new StoredObjectError(REGISTERED_MERCHANTS, 'was changed meanwhile');
  }

  #write(rows: readonly RegisteredMerchant[], version: string | null): Promise<string | undefined> {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    return writeText(
      this.#s3,
      { bucket: this.#bucket, key: REGISTERED_MERCHANTS, text, most: LARGEST },
      version,
    );
  }
}
