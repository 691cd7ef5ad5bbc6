import { codesInEntries } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Lines } from './lines.ts';
import { shown } from '../terminal/shown-text.ts';
import { nearestText } from './nearest-text.ts';

/** What to say of a merchant that the registry does not have. */
export function unknownMerchant(registry: Registry, merchantCode: string, lines: Lines): string {
  const meant = nearestText(merchantCode, [...codesInEntries(registry)]);
  const hint =
    meant === undefined ? `"${lines.daybook('merchant', 'list')}" lists them` : `did you mean ${meant}?`;
  return `the registry has no merchant "${shown(merchantCode, 64)}": ${hint}`;
}

/** @throws {CommandError} when no entry of the registry has this code, usable or not */
export function assertKnownMerchant(registry: Registry, merchantCode: string, lines: Lines): void {
  if (!codesInEntries(registry).has(merchantCode))
    throw new CommandError(unknownMerchant(registry, merchantCode, lines));
}
