import { dayAt } from './business-day.ts';
import type { Manifest } from '../revision/manifest.ts';

/**
 * Until when a revision holds its day, where it was pulled before the day was over in the merchant's zone: the moment
 * at which that pull began (ISO 8601, UTC). `null` for a whole day.
 *
 * Manifests of earlier versions do not say it; for them it is worked out from `pulledAt`.
 */
export function soFarUntil(
  manifest: Pick<Manifest, 'day' | 'pulledAt' | 'soFarUntil'>,
  timeZone: string,
): string | null {
  const { day, pulledAt, soFarUntil: said } = manifest;
  if (said !== undefined) return said;
  return dayAt(Date.parse(pulledAt), timeZone) > day ? null : pulledAt;
}
