import { addDays, type Day } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { formatAmount } from '#records/money/money.ts';
import { daysOf, periodDays, type Period } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { paymentsOf } from '#support/records/records.ts';
import type { ComparedPeriod, Statement } from '#page/figures/statement.ts';
import type { StatementInput } from '#page/rendering/statement/render-statement.ts';
import {
  composeGroup,
  memberOfDay,
  memberOfStatement,
  type AddedMember,
} from '#page/figures/compose-group.ts';
import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { MERCHANT, aManifest, type Changes } from './reports.ts';

/** The days of a statement if nothing else is asked for. */
export const WEEK = daysOf(periodDays('2026-W47', 'sunday'));

/** A sealed day whose figures follow from its date: on the 15th, 15 paid invoices and 150.000 received. */
export function aPage(day: Day, changes: Partial<Manifest> = {}): Manifest {
  const date = Number(day.slice(-2));
  const fils = (amount: number) => formatAmount(BigInt(amount));
  const approved = { count: 1, total: '2.500' };
  const page = aManifest({
    day,
    pulledAt: new Date(Date.parse(day) + 27 * 3_600_000).toISOString(),
    counts: { total: date + 3, paid: date, notPaid: 2, cancelled: 1, other: 0 },
    amounts: { paid: fils(date * 10_000), notPaid: '21.000', cancelled: '4.250', other: '0.000' },
    refunds: {
      count: 1,
      total: '2.500',
      byStatus: { approved },
      saleBasis: { count: 0, total: '0.000', byStatus: {} },
    },
    breakdown: {
      byType: [
        { type: '1', all: { count: date + 2, amount: fils(date * 10_000 + 20_000) }, states: null },
        { type: '7', all: { count: 1, amount: '5.250' }, states: null },
      ],
      byMethod: [
        { method: 'KNET', count: date - 1, amount: fils(date * 10_000 - 7_500) },
        { method: 'Loyalty', count: 1, amount: '7.500' },
      ],
      charges: [
        { column: 'admin_charge', total: fils(date * 100) },
        { column: 'service_charge', total: '0.500' },
      ],
    },
    ...changes,
  });
  return { ...page, ...paymentsOf(page), ...changes };
}

/** The days before a period whose invoices are followed, as {@link aPage} has them. */
function followedBefore(from: Day) {
  return Array.from({ length: 40 }, (_, back) => aPage(addDays(from, -1 - back))).flatMap(
    ({ day, outcomes }) => (outcomes === null ? [] : [{ day, outcomes }]),
  );
}

/** The pages of a statement, and what is wrong with them. */
export interface StatementPages {
  period?: Period;
  missing?: readonly Day[];
  unbalanced?: readonly Day[];
  charges?: readonly ChargeColumn[];
  pages?: Readonly<Record<Day, Partial<Manifest>>>;
}

/** The same changes of each day of that week. */
export function everyDay(changes: Partial<Manifest>): Record<Day, Partial<Manifest>> {
  return Object.fromEntries(WEEK.map((day) => [day, changes]));
}

/** A statement that is added up from {@link aPage}s: of the week of 15 November 2026 if nothing else is asked for. */
export function aStatement(
  { period = '2026-W47', missing = [], unbalanced = [], charges = [], pages = {} }: StatementPages = {},
  changes: Partial<Statement> = {},
): Statement {
  const days = periodDays(period, 'sunday');
  const sealed = daysOf(days)
    .filter((day) => !missing.includes(day))
    .map((day) => aPage(day, { balanced: !unbalanced.includes(day), ...pages[day] }));
  const subject = {
    merchantCode: '700001',
    period,
    ...days,
    currency: 'KWD',
    charges,
    followed: followedBefore(days.from),
  };
  return {
    ...composeStatement(subject, sealed),
    revision: 1,
    sealedAt: '2026-11-22T05:00:04.000Z',
    scheduledTime: null,
    before: null,
    lastYear: null,
    previous: null,
    ...changes,
  };
}

/** Figures of another period, to compare with. */
export function aComparedPeriod(period: Period, changes: Partial<ComparedPeriod> = {}): ComparedPeriod {
  return {
    period,
    ...periodDays(period, 'sunday'),
    revision: 1,
    sealedAt: '2026-11-15T03:00:00.000Z',
    final: true,
    counts: { total: 100, paid: 80, notPaid: 15, cancelled: 5, other: 0 },
    amounts: { paid: '1000.000', notPaid: '200.000', cancelled: '50.000', other: '0.000' },
    refunds: { count: 5, total: '10.000' },
    received: '1000.000',
    net: '990.000',
    ...changes,
  };
}

export function aStatementInput(changes: Changes<StatementInput> = {}): StatementInput {
  return {
    statement: changes.statement ?? aStatement(),
    preview: false,
    attachments: [],
    ...changes,
    merchant: { ...MERCHANT, ...changes.merchant },
  };
}

/** A merchant of a group's day, with changed figures. What is added up is not changed with them. */
export function aMember(merchantCode: string, changes: Partial<GroupMember> = {}): AddedMember {
  const page = { ...aPage('2026-11-20'), merchantCode };
  const { currency = null } = changes;
  const settings = { currency: currency ?? 'KWD', timeZone: 'Asia/Kuwait', charges: [], redact: [] };
  const added = memberOfDay(page, { name: `Merchant ${merchantCode}`, ...settings });
  return { ...added, member: { ...added.member, ...changes } };
}

export function aWeekOf(merchantCode: string, pages: Parameters<typeof aStatement>[0] = {}): AddedMember {
  return memberOfStatement({ ...aStatement(pages), merchantCode }, { name: `Merchant ${merchantCode}` });
}

/** A group's page of these merchants: of a day if nothing else is said. */
export function aGroupPage(members: readonly AddedMember[], changes: Partial<GroupPage> = {}): GroupPage {
  const { period = '2026-11-20', missing = [], corrections = [] } = changes;
  const content = composeGroup(
    { group: 'north', period, from: '2026-11-20', to: '2026-11-20' },
    members,
    missing,
    corrections,
  );
  return {
    ...content,
    revision: 1,
    sealedAt: '2026-11-21T05:00:04.000Z',
    scheduledTime: null,
    previous: null,
    ...changes,
  };
}

export function aGroupInput(page: GroupPage, changes: Partial<GroupInput> = {}): GroupInput {
  return {
    group: { name: 'north', language: 'en', timeZone: 'Asia/Kuwait' },
    page,
    before: null,
    preview: false,
    attachments: [],
    ...changes,
  };
}

/** A merchant's change of the page before: 21.000 more came in. */
export function aGroupCorrection(changes: Partial<GroupPage['corrections'][number]> = {}) {
  return {
    ...{ merchantCode: '700002', name: 'Harbour', currency: 'KWD', period: '2026-11-19' },
    ...{ fromRevision: 1, toRevision: 2 },
    before: { received: '180.000', refunds: '2.500' },
    after: { received: '201.000', refunds: '2.500' },
    ...changes,
  };
}
