import * as z from 'zod';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';
import { codeInEntry, placesOfCodes, servingPlace } from './merchant-codes.ts';
import { InvalidMerchantError, UnknownMerchantError } from './registry-errors.ts';
import { OWN_MEMBERS, merchantSchema } from './registry-schema.ts';
import type { MerchantSettings } from './registry-schema.ts';
import { repeatedNameOf } from './registry.ts';
import type { Registry } from './registry.ts';

const members = z.lazy(() => z.record(z.string(), z.unknown()));

/** Members whose own members are inherited one by one: a merchant's `source` keeps the default `statuses`. */
const MERGED = ['refunds', 'balance', 'branding', 'attachments'];

function mergedMembers(inherited: unknown, own: unknown): unknown {
  const [under, over] = [members.safeParse(inherited).data, members.safeParse(own).data];
  return under === undefined || over === undefined ? own : { ...under, ...over };
}

type EntryReading =
  | { success: true; data: z.infer<typeof merchantSchema> }
  | { success: false; issue: { path: string; reason: string } };

function readEntry(registry: Registry, entry: unknown): EntryReading {
  const repeated = repeatedNameOf(entry);
  if (repeated !== undefined) return { success: false, issue: { path: repeated, reason: 'appears twice' } };
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
 * The settings of one merchant. No other entry is read.
 *
 * @throws {UnknownMerchantError} when no entry has this code
 * @throws {InvalidMerchantError} when the entry is not usable, or the code appears twice and it is not known
 * which entry is right
 */
export function merchantSettings(registry: Registry, merchantCode: string): MerchantSettings {
  const places = registry.merchants.flatMap((entry, index) =>
    codeInEntry(entry) === merchantCode ? [index] : [],
  );
  if (places.length === 0) throw new UnknownMerchantError(merchantCode);
  const place = servingPlace(registry, merchantCode, places);
  if (place === undefined) {
    throw new InvalidMerchantError(merchantCode, 'merchantCode', `appears ${places.length} times`);
  }
  const parsed = readEntry(registry, registry.merchants[place]);
  if (!parsed.success) {
    throw new InvalidMerchantError(merchantCode, parsed.issue.path, parsed.issue.reason);
  }
  return named(parsed.data);
}

/** Whether any entry can be used. A mistake in the defaults makes all of them unusable. */
export function hasUsableMerchant(registry: Registry): boolean {
  return registry.merchants.some((entry) => readEntry(registry, entry).success);
}

/** An entry or rule that cannot be used: its path in the registry and the reason. */
export interface Rejection {
  path: string;
  reason: string;
}

/** Every usable merchant in the registry's order, and the path of every entry that is left out. */
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

/** Why an entry is not used whose code appears more than once. */
function doubled(serving: number | undefined): string {
  const reason = 'appears in the registry more than once';
  if (serving === undefined) return reason;
  return `${reason}; ${fieldPath(['merchants', serving])} is used, because the last good registry has the same entry`;
}
