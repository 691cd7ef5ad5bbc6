import type { OpsNotice } from '../notices/ops-notice.ts';
import type { TaggedMail } from './mail-tags.ts';

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

export function namedInHead({
  merchantCode,
  group,
  day,
  period,
}: TaggedMail): Pick<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'> {
  return {
    merchants: listed(merchantCode),
    groups: listed(group),
    days: listed(day),
    periods: listed(period),
  };
}

/** In words, such as `merchant 700001`; `undefined` for a notice to ops. */
export function ownerInWords({ merchantCode, group }: TaggedMail): string | undefined {
  if (merchantCode !== undefined) return `merchant ${merchantCode}`;
  return group === undefined ? undefined : `group ${group}`;
}

/** In words, such as `, day 2026-11-20`; empty when the mail has none. */
export function timeInWords({ day, period }: TaggedMail): string {
  if (day !== undefined) return `, day ${day}`;
  return period === undefined ? '' : `, period ${period}`;
}
