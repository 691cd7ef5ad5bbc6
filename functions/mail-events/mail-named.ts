import type { OpsNotice } from '#domain/notices/ops-notice.ts';
import type { TaggedMail } from './mail-tags.ts';

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

/** The merchant or group and the day or period of a mail, as the head of a notice names them. */
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

/** The merchant or the group of a mail in words, such as `merchant 700001`. `undefined` for a notice to ops. */
export function ownerInWords({ merchantCode, group }: TaggedMail): string | undefined {
  if (merchantCode !== undefined) return `merchant ${merchantCode}`;
  return group === undefined ? undefined : `group ${group}`;
}

/** The day or the period of a mail in words, such as `, day 2026-11-20`. Empty when it has none. */
export function timeInWords({ day, period }: TaggedMail): string {
  if (day !== undefined) return `, day ${day}`;
  return period === undefined ? '' : `, period ${period}`;
}
