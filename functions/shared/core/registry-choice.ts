import { claimedCodes, hasUsableMerchant, parseRegistry, RegistryError } from './registry.ts';
import type { Registry } from './registry.ts';

/** A copy of the registry as it was read. */
export interface RegistryCopy {
  /** Its key in the data bucket. */
  key: string;
  /** Its ETag, `null` where there is no object. */
  version: string | null;
  /** What it says, or why it cannot be used. */
  content: Registry | RegistryError;
}

/** The share of the last good registry's merchants that may go missing at once. */
const MOST_LOST = 0.05;
/** The most codes that an alarm lists. */
const MOST_NAMED = 10;

/** Reads a copy, `text` being `undefined` where there is no object. */
export function registryCopy(key: string, version: string | null, text: string | undefined): RegistryCopy {
  if (text === undefined)
    return { key, version: null, content: new RegistryError(`there is no registry at ${key}`) };
  try {
    // An editor's byte order mark is no part of JSON, and nobody sees it.
    return { key, version, content: parseRegistry(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    if (error instanceof RegistryError) return { key, version, content: error };
    throw error;
  }
}

function nameOf({ key, version }: RegistryCopy): string {
  return version === null ? key : `${key} (version ${version.replaceAll('"', '')})`;
}

/** What is wrong with a registry that lost too many merchants, `null` when it did not. */
function lossAlarm(
  current: RegistryCopy,
  now: Registry,
  lastGood: RegistryCopy,
  then: Registry,
): string | null {
  const before = claimedCodes(then);
  const lost = [...before.difference(claimedCodes(now))];
  if (lost.length <= before.size * MOST_LOST) return null;
  const named = lost.slice(0, MOST_NAMED).join(', ') + (lost.length > MOST_NAMED ? ', …' : '');
  return (
    `the registry ${nameOf(current)} lacks ${lost.length} of the ${before.size} merchants of the last good one ` +
    `(${named}), which is more than ${MOST_LOST * 100} %. The last good one, ${nameOf(lastGood)}, serves. ` +
    `If those merchants are meant to be gone, delete ${lastGood.key}: the registry is then taken as it stands.`
  );
}

/** What is wrong with a registry that has entries and none that can be used, `null` when one can. */
function spoiltAlarm(current: RegistryCopy, now: Registry, lastGood: RegistryCopy): string | null {
  if (now.merchants.length === 0 || hasUsableMerchant(now)) return null;
  return (
    `no entry of the registry ${nameOf(current)} can be used: look at its defaults first. ` +
    `The last good one, ${nameOf(lastGood)}, serves until there is a usable one.`
  );
}

/**
 * Which copy serves: the current one, unless it cannot be used or lost more than 5 % of the last good one's merchants.
 *
 * @returns `alarm`: why the last good copy serves and what to do about it, `null` when the current one does
 * @throws {RegistryError} when neither can be used
 */
export function chooseRegistry(
  current: RegistryCopy,
  lastGood: RegistryCopy,
): { registry: Registry; alarm: string | null } {
  const { content } = current;
  const { content: good } = lastGood;
  if (content instanceof RegistryError) {
    if (good instanceof RegistryError) throw content;
    const alarm =
      `${nameOf(current)}: ${content.message}. ` +
      `The last good one, ${nameOf(lastGood)}, serves until there is a usable one.`;
    return { registry: good, alarm };
  }
  if (good instanceof RegistryError) return { registry: content, alarm: null };
  const alarm = lossAlarm(current, content, lastGood, good) ?? spoiltAlarm(current, content, lastGood);
  return { registry: alarm === null ? content : good, alarm };
}
