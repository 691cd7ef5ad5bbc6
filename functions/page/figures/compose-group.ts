import { createHash } from 'node:crypto';
import type { Day } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { unusualLength } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { addByCurrency, netOfPage, redactedPage } from './compose-statement.ts';
import type { Sums } from './compose-statement.ts';
import { groupMemberSchema } from './group-page.ts';
import type { ChangedMember, CurrencySum, GroupMember, GroupPage } from './group-page.ts';
import type { Net } from '#records/figures/day-net.ts';
import type { AddedStatement } from './statement.ts';
import { averageOf, likeOf, sumOrUnknown } from '#records/figures/like-with-like.ts';
import { formatAmount, leastAmount } from '#records/money/money.ts';

type Usual = GroupMember['usual'];

/**
 * The average of the first readings that a day is like, rounded to the currency's own places, as known when sealed and not before
 * `reportFrom`. `null` without such a day, and for a page that was corrected.
 */
function usualOfDay(page: Manifest, { reportFrom = '', currency, timeZone }: MemberSettings): Usual {
  const history = page.history.filter(({ day }) => day >= reportFrom);
  const days = likeOf({ ...page, history }, { currency, timeZone })?.days ?? [];
  if (days.length === 0) return null;
  const readings = days.map(({ reading }) => reading);
  const received = averageOf(
    readings.map(({ received: cameIn, amounts }) =>
      sumOrUnknown(page.received === null ? amounts?.paid : cameIn?.sum),
    ),
    leastAmount(currency),
  );
  const total = averageOf(
    readings.map(({ counts }) => (counts.total === null ? null : BigInt(counts.total))),
  );
  return {
    received: received === null ? null : formatAmount(received),
    total: total === null ? null : Number(total),
  };
}

/**
 * The period before, as it stood as long after its end; `null` when nobody knows that, when it is over before `reportFrom`, or is
 * a week of another length.
 */
function usualOfPeriod(
  statement: Pick<AddedStatement, 'period' | 'from' | 'to' | 'before'>,
  reportFrom: Day,
): Usual {
  const { from, before } = statement;
  if (before?.sealedAt === undefined || from <= reportFrom) return null;
  // Statements of earlier versions do not say the days of the period before. All their weeks had seven.
  const { period, from: first, to: last } = before;
  const length = first && last && unusualLength({ period, from: first, to: last });
  if (unusualLength(statement) !== length) return null;
  return { received: before.received, total: before.counts.total };
}

export interface AddedMember {
  member: GroupMember;
  /** The figures of its page, by currency: nearly always one. */
  sums: readonly (Sums & { currency: string })[];
}

/** Nothing of a time before `reportFrom` is shown. */
type MemberSettings = Pick<PageSettings, 'name' | 'timeZone' | 'reportFrom' | 'currency' | 'redact'> & {
  charges: readonly ChargeColumn[];
};

type MemberPage = Omit<GroupMember, 'name' | 'usual' | 'received' | 'refunded' | 'net'> & { net: Net };

function memberOf(page: MemberPage, more: Pick<GroupMember, 'name' | 'usual'>): GroupMember {
  const { received, refunded, net } = page.net;
  return groupMemberSchema.parse({ ...page, ...more, received, refunded, net });
}

export function memberOfDay(page: Manifest, settings: MemberSettings): AddedMember {
  const { name, currency, charges, redact } = settings;
  const { day, balanced, counts, amounts, refunds } = page;
  const net = netOfPage(redactedPage(page, redact), charges);
  return {
    member: memberOf(
      { ...page, currency, net, from: day, to: day, final: balanced },
      { name, usual: usualOfDay(page, settings) },
    ),
    sums: [{ currency, counts, amounts, refunds, net }],
  };
}

export function memberOfStatement(
  statement: AddedStatement,
  { name, reportFrom = '' }: Pick<MemberSettings, 'name' | 'reportFrom'>,
): AddedMember {
  const { currency, unbalanced, counts, amounts, refunds, net } = statement;
  const usual = usualOfPeriod(statement, reportFrom);
  return {
    member: memberOf({ ...statement, balanced: unbalanced.length === 0 }, { name, usual }),
    sums:
      currency === null
        ? Object.entries(statement.byCurrency ?? {}).map(([of, sums]) => ({ ...sums, currency: of }))
        : [{ currency, counts, amounts, refunds, net }],
  };
}

function sumsByCurrency(members: readonly AddedMember[]): Record<string, CurrencySum> {
  const parts = members.flatMap(({ sums }) => sums);
  return Object.fromEntries(
    addByCurrency(parts, ({ currency }) => currency).map(({ currency, parts: merchants, ...sum }) => [
      currency,
      { merchants, ...sum },
    ]),
  );
}

function shown({ received, refunded, refunds }: GroupMember): ChangedMember['after'] {
  return { received, refunds: refunded === undefined ? refunds.total : refunded };
}

/** Whether a page says the same of a merchant. Invoices that are paid later change none of it. */
function saysTheSame(one: GroupMember, other: GroupMember): boolean {
  const isEarlier = one.refunded === undefined || other.refunded === undefined;
  const said = (member: GroupMember) =>
    JSON.stringify([member.currency, member.counts.total, isEarlier ? member.refunds.total : shown(member)]);
  return said(one) === said(other);
}

/** The merchants of whom a page says something else now. A figure keeps the currency that it had. */
export function changedMembers(
  { period, merchants }: Pick<GroupPage, 'period' | 'merchants'>,
  members: readonly GroupMember[],
): ChangedMember[] {
  const before = new Map(merchants.map((member) => [member.merchantCode, member]));
  return members.flatMap((member): ChangedMember[] => {
    const { merchantCode, name, currency, revision } = member;
    const known = before.get(merchantCode);
    if (known !== undefined && saysTheSame(known, member)) return [];
    return [
      {
        merchantCode,
        name,
        currency,
        period,
        fromRevision: known?.revision ?? null,
        toRevision: revision,
        before:
          known === undefined
            ? null
            : { ...shown(known), ...(known.currency !== currency && { currency: known.currency }) },
        after: shown(member),
      },
    ];
  });
}

export type GroupContent = Omit<GroupPage, 'revision' | 'sealedAt' | 'scheduledTime' | 'previous'>;

export interface GroupSubject extends PeriodDays {
  group: string;
  period: Period;
}

/** The digest is of all that the mail shows: an equal page may be mailed instead. @param members as in the registry */
export function composeGroup(
  { group, period, from, to }: GroupSubject,
  members: readonly AddedMember[],
  missing: GroupPage['missing'],
  corrections: GroupPage['corrections'],
): GroupContent {
  const days = members.flatMap(({ member }) => [member.from, member.to]).sort();
  const content = {
    group,
    period,
    from: days[0] ?? from,
    to: days.at(-1) ?? to,
    final: missing.length === 0 && members.every(({ member }) => member.final),
    merchants: members.map(({ member }) => member),
    missing,
    byCurrency: sumsByCurrency(members),
    corrections,
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { ...content, digest };
}
