import { dayAt } from './business-day.ts';
import type { Manifest } from '../revision/manifest.ts';

/**
 * When the pull began, if it began before the day was over in the merchant's zone (ISO 8601, UTC). The
 * revision then holds the day up to that time. `null` for a whole day.
 * Manifests of earlier versions do not have it. For them it is computed from `pulledAt`.
 */
export function soFarUntil(
  manifest: Pick<Manifest, 'day' | 'pulledAt' | 'soFarUntil'>,
  timeZone: string,
): string | null {
  const { day, pulledAt, soFarUntil: said } = manifest;
  if (said !== undefined) return said;
  return dayAt(Date.parse(pulledAt), timeZone) > day ? null : pulledAt;
}
