import { periodBefore, periodDays, periodKind, unusualLength } from '#records/period/period.ts';
import { likeDays } from '#records/day/occasions.ts';
import { weekday } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { fromStranger, isolated } from '#mail/formatters/outside-text.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { occasionNames } from '../report/against-others.ts';
import { occasionNotes } from '../statement/statement-sections.ts';
import type { Period } from '#records/period/period.ts';
import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';
import type { PageCell, PageSection } from '#mail/template/mail-layout.ts';
import { NOTHING, inCurrency, moreNotes } from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';

/** A share of a currency's total, as a whole number that keeps small differences apart. */
const SCALE = 10n ** 18n;

export interface Mover {
  member: GroupMember;
  /** A decimal string with three fraction digits. `null` when it is not known. */
  difference: string | null;
}

interface Ranked extends Mover {
  /** Merchants with a difference come before those without, and these before merchants whose amount is unknown. */
  rank: 0 | 1 | 2;
  size: bigint;
}

/** What a merchant received less what is usual. `null` when it is not known. */
export function differenceOf({ received, usual }: GroupMember): string | null {
  if (received === null || usual === null || usual.received === null) return null;
  return formatAmount(parseSum(received) - parseSum(usual.received));
}

/** In relation to what its currency received in all, so that amounts of different currencies can be compared. */
function ranked(member: GroupMember, received: ReadonlyMap<string | null, bigint>): Ranked {
  const whole = (member.currency === null ? undefined : received.get(member.currency)) ?? 0n;
  const share = (amount: bigint) => (whole > 0n ? (amount * SCALE) / whole : amount);
  if (member.received === null) return { member, difference: null, rank: 2, size: 0n };
  const difference = differenceOf(member);
  if (difference === null) return { member, difference, rank: 1, size: share(parseSum(member.received)) };
  const size = parseSum(difference);
  return { member, difference, rank: 0, size: share(size < 0n ? -size : size) };
}

function receivedByCurrency(members: readonly GroupMember[]): Map<string | null, bigint> {
  const sumOf = (some: readonly GroupMember[]) =>
    some.reduce((sum, { received }) => sum + parseSum(received ?? '0.000'), 0n);
  return new Map(
    [...Map.groupBy(members, ({ currency }) => currency)].map(([of, some]) => [of, sumOf(some)]),
  );
}

/** First those that moved most, then those without a usual by what they received, then in the registry's order. */
export function movers({ merchants }: Pick<GroupPage, 'merchants'>): Mover[] {
  const received = receivedByCurrency(merchants);
  return merchants
    .map((member) => ranked(member, received))
    .sort((one, other) => {
      if (one.rank !== other.rank) return one.rank - other.rank;
      return one.size === other.size ? 0 : one.size > other.size ? -1 : 1;
    })
    .map(({ member, difference }) => ({ member, difference }));
}

const LONGEST_NAME = 60;

export function nameOfMember(
  merchant: { merchantCode: string; name: string | null },
  { limits }: FigureFormatter,
): string {
  const name = merchantName({ ...merchant, name: merchant.name ?? '' });
  return fromStranger(name, Math.min(LONGEST_NAME, limits.text));
}

function checkMark(member: GroupMember, { texts }: FigureFormatter): string {
  const { balanced, final, currency, received, counts } = member;
  if (!balanced) return texts.say('group.check.bad');
  if (final && [currency, received, counts.paid, counts.notPaid].includes(null))
    return texts.say('group.check.part');
  return texts.say(final ? 'group.check.good' : 'group.check.provisional');
}

function cellsOf({ member, difference }: Mover, formatter: FigureFormatter): PageCell[] {
  const { texts } = formatter;
  const { merchantCode, revision, currency, received, refunded = null, counts } = member;
  const amount = (text: string | null, withSign = false) =>
    currency === null ? texts.say('unknown') : formatter.in(currency).bareAmount(text, withSign);
  return [
    {
      text: nameOfMember(member, formatter),
      under: [
        formatter.outside(merchantCode),
        texts.say('group.revision', { revision: String(revision) }),
        checkMark(member, formatter),
      ].join(' · '),
    },
    { text: amount(received), under: amount(refunded) },
    {
      text: difference === null ? NOTHING : amount(difference, true),
      under: [formatter.count(counts.paid), formatter.count(counts.notPaid)].join(' · '),
    },
  ];
}

function weekLengthNote(period: Period, members: readonly Mover[], { texts }: FigureFormatter): string[] {
  const count = members.filter(
    ({ member: { from, to } }) => unusualLength({ period, from, to }) !== undefined,
  ).length;
  return count === 0 ? [] : [texts.say('group.week.length', { count })];
}

function usualNotes(
  { period, from, to }: Pick<GroupPage, 'period' | 'from' | 'to'>,
  members: readonly Mover[],
  timeZone: string,
  formatter: FigureFormatter,
): string[] {
  const { texts } = formatter;
  if (periodKind(period) !== 'day') {
    const before = periodBefore(period);
    const compared = [
      { period, from, to },
      { period: before, ...periodDays(before, 'monday') },
    ];
    return [texts.say('group.usual.period'), ...occasionNotes(compared, timeZone, formatter)];
  }
  const { days, occasions, isUsual } = likeDays(period, timeZone);
  const values = {
    weekday: isolated(weekday(period, texts)),
    occasions: occasionNames(occasions, formatter),
  };
  if (isUsual) return [texts.say(days.length > 0 ? 'group.usual.day' : 'against.othersAre', values)];
  const isCompared = members.some(({ member }) => member.usual !== null);
  return [texts.say(isCompared ? 'group.usual.yearBefore' : 'against.dayIs', values)];
}

/** A table by merchant for each currency, those that moved most first. Narrow enough for a phone. */
export function merchantsSection(
  page: GroupPage,
  members: readonly Mover[],
  { timeZone, attachments }: { timeZone: string; attachments: readonly PageAttachment[] },
  formatter: FigureFormatter,
): PageSection[] {
  const { texts, limits } = formatter;
  if (members.length === 0) return [];
  const shown = members.slice(0, limits.rows);
  const hasAll = attachments.some((file) => file.kind === 'attached' && file.format === 'xlsx');
  const meaning = [
    texts.say('group.check.meaning'),
    texts.say('group.order'),
    ...usualNotes(page, members, timeZone, formatter),
    ...(members.some(({ member }) => member.currency === null) ? [texts.say('group.mixed')] : []),
  ];
  const tables = [...Map.groupBy(shown, ({ member }) => member.currency)].map(
    ([currency, movers]): PageSection => ({
      heading:
        currency === null
          ? texts.say('group.merchants')
          : inCurrency('group.merchants', formatter.in(currency)),
      table: {
        columns: [
          { text: texts.say('group.merchant'), under: texts.say('group.merchant.under') },
          { text: texts.say('statement.received'), under: texts.say('statement.refunded') },
          { text: texts.say('group.againstUsual'), under: texts.say('group.paidAndUnpaid') },
        ],
        rows: movers.map((mover) => ({ cells: cellsOf(mover, formatter) })),
      },
    }),
  );
  return [
    ...tables,
    {
      notes: [
        ...moreNotes(members.length, shown.length, formatter, hasAll ? 'group.more.attached' : 'group.more'),
        ...weekLengthNote(page.period, members, formatter),
        meaning.join(' '),
      ],
    },
  ];
}
