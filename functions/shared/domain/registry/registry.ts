import * as z from 'zod';
import { balanceSchema, strangeComparisons } from '../balance/balance-settings.ts';
import { isDay, isTimeZone } from '../day/business-day.ts';
import { DaybookError } from '../errors/daybook-error.ts';
import { boundedJson } from '../json/bounded-json.ts';
import { isKnownColumn, redactSchema } from '../records/redaction.ts';
import { findRepeatedNames, shownStep } from '../json/repeated-names.ts';
import { LANGUAGES } from '#rendering/texts/languages.ts';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';

/** The registry is no JSON or lacks its three members; nothing of it can be used. */
export class RegistryError extends DaybookError {
  override readonly name = 'RegistryError';
}

/** The registry has no merchant of this code. */
export class UnknownMerchantError extends DaybookError {
  override readonly name = 'UnknownMerchantError';
  readonly merchantCode: string;
  constructor(merchantCode: string) {
    super(`the registry has no merchant ${merchantCode}`);
    this.merchantCode = merchantCode;
  }
}

/** A merchant's entry (with the defaults beneath it) is not what docs/registry.md asks for; names the member. */
export class InvalidMerchantError extends DaybookError {
  override readonly name = 'InvalidMerchantError';
  readonly merchantCode: string;
  readonly path: string;
  constructor(merchantCode: string, path: string, reason: string) {
    super(`the registry's entry of merchant ${merchantCode} is not usable: ${path}: ${reason}`);
    this.merchantCode = merchantCode;
    this.path = path;
  }
}

export const MERCHANT_CODE = /^[A-Za-z0-9-]{1,64}$/;

/** Characters; gateways take no more. */
const LONGEST_URL = 2_000;

// A path is appended to the base URL; a second slash or a backslash could be read as another host.
const servicePath = z.lazy(() =>
  z
    .string()
    .max(LONGEST_URL)
    .regex(/^\/(?![/\\])[^\\?#\s]*$/, 'must begin with one "/" and hold no "\\", "?" or "#"'),
);

const serviceSchema = z.lazy(() =>
  z.object({
    baseUrl: z.url().max(LONGEST_URL),
    loginPath: servicePath.default('/api/v1/login'),
    refreshPath: servicePath.default('/api/v1/token-refresh'),
    refundListPath: servicePath.default('/api/v1/refund/'),
  }),
);
/**
 * Where the payment service stands, and the paths that are published and no promise (docs/contract.md, 4 Endpoints).
 */
export type ServiceSettings = z.infer<typeof serviceSchema>;

const invoiceStateNames = z.lazy(() => z.enum(['paid', 'not_paid', 'cancelled', 'other']));

const refundsSchema = z.lazy(() =>
  z.object({
    source: z.enum(['list', 'watchlist', 'both']).default('list'),
    statuses: z
      .record(
        z.string(),
        z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be a name of a-z, 0-9, "_" and "-"'),
      )
      .default({}),
  }),
);

/** Each gets a mail of its own, one after the other, within the time that a function has. */
const MOST_RECIPIENTS = 100;

/** An entry of the registry with the defaults beneath it. */
export const merchantSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at the most'),
    name: z.string().min(1).optional(),
    timeZone: z.string().refine(isTimeZone, 'is no time zone').default('Asia/Kuwait'),
    reportAt: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
      .default('06:00'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code of three capitals')
      .default('KWD'),
    language: z.enum(LANGUAGES).default('en'),
    lookbackDays: z.array(z.int().min(1).max(366)).max(31).default([1, 3, 7]),
    invoiceTypes: z
      .array(z.string().regex(/^\d{1,4}$/))
      .min(1)
      .refine((types) => new Set(types).size === types.length, 'has a type twice')
      .default(['1', '0', '6', '7']),
    maxConcurrency: z.int().min(1).max(64).default(16),
    recipients: z
      .array(z.email())
      .refine((list) => list.length <= MOST_RECIPIENTS, `has more than ${MOST_RECIPIENTS} addresses`)
      .default([]),
    reportFrom: z.string().refine(isDay, 'is no date (YYYY-MM-DD)').optional(),
    secretId: z.string().min(1).optional(),
    /** The service's own id of the merchant, in place of what earlier days say. */
    merchantId: z.string().min(1).max(64).optional(),
    attachCsv: z.boolean().default(false),
    attachXlsx: z.boolean().default(false),
    skipEmpty: z.boolean().default(false),
    refunds: refundsSchema.prefault({}),
    balance: balanceSchema.prefault({}),
    invoiceStatuses: z.record(z.string(), invoiceStateNames).optional(),
    /** Columns whose values are left out of the lake and of attachments. */
    redact: redactSchema.default([]),
    /** Rules of `alert-check`; `readRules` reads each on its own, so that a bad one does not stop the report. */
    alerts: z.array(z.unknown()).default([]),
  }),
);

/** One merchant's settings: its own members, then the registry's defaults, then the product's. */
export type MerchantSettings = Omit<z.infer<typeof merchantSchema>, 'name'> & { name: string };

/** Members that belong to one merchant and may not stand in `defaults`. */
const OWN_MEMBERS = ['merchantCode', 'name', 'secretId', 'merchantId'];

const registrySchema = z.lazy(() =>
  z.object({
    service: serviceSchema,
    defaults: z.record(z.string(), z.unknown()).default({}),
    merchants: z.array(z.unknown()),
  }),
);

/** A symbol: no text of a registry can have a member of that name. */
const KEPT = Symbol('kept');

/** A registry whose frame was read; its merchants are read one by one. */
export type Registry = z.infer<typeof registrySchema> & {
  /** Of codes that stand there more than once: the place of the one entry that serves. See {@link keeping}. */
  readonly [KEPT]?: ReadonlyMap<string, number>;
};

/** Keeps members that are not known here, for {@link unknownMembers} to find. */
const frameSchema = z.lazy(() =>
  registrySchema.unwrap().extend({ service: serviceSchema.unwrap().loose() }).loose(),
);

/** Values of a registry: ten thousand merchants with a hundred recipients each have a million. */
const MOST_VALUES = 1_500_000;
/** Twice what functions are sized for: the watch looks up each entry, and must come to its end. */
const MOST_MERCHANTS = 20_000;

/** Entries in which a name stands twice, with the place of the first: one of its two values is lost. */
const repeatedNames = new WeakMap<object, string>();

/**
 * Looks for names that stand twice. One of an entry spoils that entry; any other, such as `merchants` itself, would drop
 * what stood under it first.
 *
 * @throws {RegistryError} for one outside of the entries
 */
function noteRepeatedNames(text: string, { merchants }: Registry): void {
  findRepeatedNames(text, (path) => {
    const [first, index, ...inner] = path;
    const place = fieldPath(path.map(shownStep));
    if (first !== 'merchants' || typeof index !== 'number') {
      throw new RegistryError(`the registry is not usable: ${place}: stands there twice`);
    }
    const entry = merchants[index];
    const isFirst = typeof entry === 'object' && entry !== null && !repeatedNames.has(entry);
    if (isFirst) repeatedNames.set(entry, fieldPath(inner.map(shownStep)));
    return true;
  });
}

/** The first name that stands twice in an entry, `undefined` where none does. */
function repeatedNameOf(entry: unknown): string | undefined {
  return typeof entry === 'object' && entry !== null ? repeatedNames.get(entry) : undefined;
}

/** Whether a name stands twice in any entry. What is written anew of such a one no longer says so. */
export function hasRepeatedNames(registry: Registry): boolean {
  return registry.merchants.some((entry) => repeatedNameOf(entry) !== undefined);
}

/**
 * Reads the frame of a registry; entries are looked at by {@link merchantSettings}.
 *
 * @throws {RegistryError} when it is not JSON, nests or holds more than a registry could need, has too many entries, `service` or `merchants`
 *   is not what it must be, or a name stands twice outside of the entries
 */
export function parseRegistry(text: string): Registry {
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw new RegistryError(`the registry ${read.reason}`);
  const parsed = frameSchema.safeParse(read.json);
  if (!parsed.success) {
    const issue = firstIssue(parsed.error);
    throw new RegistryError(`the registry is not usable: ${issue.path}: ${issue.reason}`);
  }
  if (parsed.data.merchants.length > MOST_MERCHANTS) {
    throw new RegistryError(`the registry has more than ${MOST_MERCHANTS} entries`);
  }
  if (read.repeats) noteRepeatedNames(text, parsed.data);
  return parsed.data;
}

const codeOf = z.lazy(() => z.object({ merchantCode: z.unknown() }));

/** The code that an entry claims, whatever else is wrong with it. */
function claimedCode(entry: unknown): unknown {
  return codeOf.safeParse(entry).data?.merchantCode;
}

/** The codes that entries claim, usable or not; what is no code at all is left out. */
export function claimedCodes(registry: Registry): Set<string> {
  const codes = new Set<string>();
  for (const entry of registry.merchants) {
    const code = claimedCode(entry);
    if (typeof code === 'string' && MERCHANT_CODE.test(code)) codes.add(code);
  }
  return codes;
}

/** The places of the entries that claim each code, in the registry's order. */
export function placesOfCodes(registry: Registry): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const code = claimedCode(entry);
    if (typeof code !== 'string') continue;
    const known = places.get(code);
    if (known === undefined) places.set(code, [index]);
    else known.push(index);
  }
  return places;
}

/** The registry in which, of a code that stands there more than once, the entry at that place serves. */
export function keeping(registry: Registry, kept: ReadonlyMap<string, number>): Registry {
  return kept.size === 0 ? registry : { ...registry, [KEPT]: kept };
}

/** The place of the entry that serves of a code's places; `undefined` where there are several and nobody can know. */
function servingPlace(registry: Registry, code: string, places: readonly number[]): number | undefined {
  return places.length === 1 ? places[0] : registry[KEPT]?.get(code);
}

const members = z.lazy(() => z.record(z.string(), z.unknown()));

/** Members with members of their own that may be inherited one by one: a merchant's `source` leaves the `statuses`. */
const MERGED = ['refunds', 'balance'];

function mergedMembers(inherited: unknown, own: unknown): unknown {
  const [under, over] = [members.safeParse(inherited).data, members.safeParse(own).data];
  return under === undefined || over === undefined ? own : { ...under, ...over };
}

type EntryReading =
  | { success: true; data: z.infer<typeof merchantSchema> }
  | { success: false; issue: { path: string; reason: string } };

function readEntry(registry: Registry, entry: unknown): EntryReading {
  const repeated = repeatedNameOf(entry);
  if (repeated !== undefined)
    return { success: false, issue: { path: repeated, reason: 'stands there twice' } };
  const own = members.safeParse(entry).data ?? {};
  const inherited = Object.fromEntries(
    Object.entries(registry.defaults).filter(([name]) => !OWN_MEMBERS.includes(name)),
  );
  const merged = { ...inherited, ...own };
  for (const name of MERGED) {
    if (name in own) merged[name] = mergedMembers(inherited[name], own[name]);
  }
  const parsed = merchantSchema.safeParse(merged);
  return parsed.success ? parsed : { success: false, issue: firstIssue(parsed.error) };
}

function named(settings: z.infer<typeof merchantSchema>): MerchantSettings {
  return { ...settings, name: settings.name ?? settings.merchantCode };
}

/**
 * The settings of one merchant; no other entry is looked into.
 *
 * @throws {UnknownMerchantError} when no entry has this code
 * @throws {InvalidMerchantError} when the entry is not usable, or the code stands there twice and it is not known which
 * entry serves
 */
export function merchantSettings(registry: Registry, merchantCode: string): MerchantSettings {
  const places = registry.merchants.flatMap((entry, index) =>
    claimedCode(entry) === merchantCode ? [index] : [],
  );
  if (places.length === 0) throw new UnknownMerchantError(merchantCode);
  const place = servingPlace(registry, merchantCode, places);
  if (place === undefined) {
    throw new InvalidMerchantError(merchantCode, 'merchantCode', `stands there ${places.length} times`);
  }
  const parsed = readEntry(registry, registry.merchants[place]);
  if (!parsed.success) {
    throw new InvalidMerchantError(merchantCode, parsed.issue.path, parsed.issue.reason);
  }
  return named(parsed.data);
}

/** Whether any entry can be used; a mistake in the defaults spoils them all. */
export function hasUsableMerchant(registry: Registry): boolean {
  return registry.merchants.some((entry) => readEntry(registry, entry).success);
}

/** An entry (or rule) that cannot be used: where it stands in the registry and why. */
export interface Rejection {
  path: string;
  reason: string;
}

/** Every usable merchant in the registry's order, and by its path every entry that is left out. */
export function allMerchants(registry: Registry): { merchants: MerchantSettings[]; rejected: Rejection[] } {
  const merchants: MerchantSettings[] = [];
  const rejected: Rejection[] = [];
  const places = placesOfCodes(registry);
  for (const [index, entry] of registry.merchants.entries()) {
    const path = ['merchants', index];
    const parsed = readEntry(registry, entry);
    if (!parsed.success) {
      const { path: member, reason } = parsed.issue;
      rejected.push({ path: `${fieldPath(path)}.${member}`, reason });
      continue;
    }
    const { merchantCode } = parsed.data;
    const serving = servingPlace(registry, merchantCode, places.get(merchantCode) ?? []);
    if (serving === index) merchants.push(named(parsed.data));
    else rejected.push({ path: fieldPath([...path, 'merchantCode']), reason: doubled(serving) });
  }
  return { merchants, rejected };
}

/** Why an entry does not serve whose code stands there more than once. */
function doubled(serving: number | undefined): string {
  const reason = 'stands in the registry more than once';
  if (serving === undefined) return reason;
  return `${reason}; ${fieldPath(['merchants', serving])} serves, since the last good registry has the same entry`;
}

const membersSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/** Paths of the members of `value` that the schema does not have. */
function strangers(schema: z.ZodObject, value: unknown, path: readonly PropertyKey[]): string[] {
  const members = membersSchema.safeParse(value).data ?? {};
  return Object.keys(members)
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .map((name) => fieldPath([...path, name]));
}

/** Paths of columns to redact that the contract does not have: newcomers of the service, or misspelt. */
function strangeColumns(value: unknown, path: readonly PropertyKey[]): string[] {
  const { redact } = membersSchema.safeParse(value).data ?? {};
  return (redactSchema.safeParse(redact).data ?? []).flatMap((column, index) =>
    isKnownColumn(column) ? [] : [fieldPath([...path, 'redact', index])],
  );
}

/**
 * Members that this version does not know: reported, not fatal. Paths such as `merchants[3].reciepients`. Rules of
 * `alert-check` are looked into by `rulesOfRegistry`.
 */
export function unknownMembers(registry: Registry): string[] {
  const { service, defaults, merchants } = registry;
  // Once: every unwrapping builds the schema anew.
  const [ofEntry, ofRefunds] = [merchantSchema.unwrap(), refundsSchema.unwrap()];
  const ofBalance = balanceSchema.unwrap();
  const ofMerchant = (value: unknown, path: readonly PropertyKey[]) => {
    const { refunds, balance } = membersSchema.safeParse(value).data ?? {};
    return [
      ...strangers(ofEntry, value, path),
      ...strangers(ofRefunds, refunds, [...path, 'refunds']),
      ...strangers(ofBalance, balance, [...path, 'balance']),
      ...strangeComparisons(balance, [...path, 'balance']),
      ...strangeColumns(value, path),
    ];
  };
  return [
    ...strangers(registrySchema.unwrap(), registry, []),
    ...strangers(serviceSchema.unwrap(), service, ['service']),
    ...OWN_MEMBERS.filter((name) => Object.hasOwn(defaults, name)).map((name) =>
      fieldPath(['defaults', name]),
    ),
    ...ofMerchant(defaults, ['defaults']),
    ...merchants.flatMap((entry, index) => ofMerchant(entry, ['merchants', index])),
  ];
}
