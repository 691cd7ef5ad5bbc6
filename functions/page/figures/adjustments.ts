import { formatAmount, parseSum } from '#records/money/money.ts';
import { movedSchema, type Adjustment, type Moved, type Statement, type StatementDay } from './statement.ts';

/*
 * A closed statement never changes. What changes of its days afterwards is told by a later statement, as an adjustment: closed
 * statements and adjustments together always say what the newest pages of the days say.
 */

export const MOVED = ['payments', 'received', 'refunded', 'charges', 'net'] as const;

const NOTHING: Moved = { payments: 0, received: '0.000', refunded: '0.000', charges: '0.000', net: '0.000' };

const WHY = { payments: 'payments', received: 'payments', refunded: 'refunds', charges: 'charges' } as const;

type MovedOn = Pick<StatementDay, 'day' | 'revision' | 'net' | 'received'>;

function bookedDay({ day, revision, net, received }: MovedOn, currency: string) {
  const moved = movedSchema.parse({ ...net, payments: received?.count ?? null });
  return { day, currency, revision, moved };
}

/** By day and currency: after a change of currency, a day may be booked in two. */
function booksOf(booked: readonly ReturnType<typeof bookedDay>[]) {
  return new Map(booked.map((one) => [`${one.day} ${one.currency}`, one]));
}

type Books = ReturnType<typeof booksOf>;

function scaled(value: string | number): bigint {
  return typeof value === 'string' ? parseSum(value) : BigInt(value);
}

/** What an adjustment adds to a figure, in thousandths of money or as a count; `null` where one of the two is unknown. */
export function addedTo({ was, is }: Pick<Adjustment, 'was' | 'is'>, figure: keyof Moved): bigint | null {
  const [before, after] = [was[figure], is[figure]];
  return before === null || after === null ? null : scaled(after) - scaled(before);
}

/** What is unknown has no difference: then the adjustment says the figure itself. */
function withAdjustment(told: Moved, adjustment: Adjustment): Moved {
  const next = MOVED.map((figure) => {
    const [before, added] = [told[figure], addedTo(adjustment, figure)];
    if (before === null || added === null) return [figure, adjustment.is[figure]];
    const sum = scaled(before) + added;
    return [figure, figure === 'payments' ? Number(sum) : formatAmount(sum)];
  });
  return movedSchema.parse(Object.fromEntries(next));
}

type Adjusted = Pick<Statement, 'period' | 'currency' | 'days'>;

/** What a closed statement and its adjustments say. @param adjustments of any, in the order of their periods */
function toldBooks({ days, currency: ofAll, period }: Adjusted, adjustments: readonly Adjustment[]): Books {
  // Where there are several currencies, each day has its own.
  const told = booksOf(days.map((day) => bookedDay(day, day.currency ?? ofAll ?? '')));
  for (const adjustment of adjustments.filter((one) => one.period === period)) {
    const { day, revision, currency } = adjustment;
    const key = `${day} ${currency}`;
    const moved = withAdjustment(told.get(key)?.moved ?? NOTHING, adjustment);
    told.set(key, { day, currency, revision, moved });
  }
  return told;
}

/**
 * What is still to be told of a closed statement: from what has been told so far to what the newest pages of its days say.
 * @param told adjustments of it by other statements, in the order of their periods
 * @param current the newest pages of days that may have changed; all others stay as told. `reopened`: the statement says all itself
 */
export function adjustmentsOf(
  statement: Adjusted,
  told: readonly Adjustment[],
  current: readonly (MovedOn & { currency: string })[] | 'reopened',
): Adjustment[] {
  const { period } = statement;
  const before = toldBooks(statement, told);
  const after =
    current === 'reopened'
      ? toldBooks(statement, [])
      : booksOf([
          ...[...before.values()].filter(({ day }) => !current.some((page) => page.day === day)),
          ...current.map((page) => bookedDay(page, page.currency)),
        ]);
  const revisionsOf = (books: Books) => new Map([...books.values()].map((one) => [one.day, one.revision]));
  const [daysBefore, daysAfter] = [revisionsOf(before), revisionsOf(after)];
  const all = [...new Map([...before, ...after])].sort(([one], [other]) => (one < other ? -1 : 1));
  return all.flatMap(([key, { day, currency, revision }]): Adjustment[] => {
    const [was, is] = [before.get(key)?.moved ?? NOTHING, after.get(key)?.moved ?? NOTHING];
    const figures = MOVED.filter((figure) => was[figure] !== is[figure]);
    if (figures.length === 0) return [];
    const ofFigures = new Set(figures.flatMap((figure) => (figure === 'net' ? [] : WHY[figure])));
    const reasonsOfDay = (): Adjustment['reasons'] => {
      if (current === 'reopened') return ['reopened'];
      if (!before.has(key) || !after.has(key))
        return [daysBefore.has(day) && daysAfter.has(day) ? 'currency' : 'day'];
      return ofFigures.size === 0 ? ['balance'] : [...ofFigures];
    };
    const newest = daysAfter.get(day) ?? revision;
    return [{ period, day, revision: newest, currency, reasons: reasonsOfDay(), was, is }];
  });
}

type Adjusting = Pick<Statement, 'adjustments'>;

/** Whether two statements tell different adjustments; by which page they know it does not matter. */
export function adjustsOtherwise(one: Adjusting, other: Adjusting): boolean {
  const shown = ({ adjustments = [] }: Adjusting) =>
    JSON.stringify(adjustments.map(({ day, currency, was, is }) => [day, currency, was, is]));
  return shown(one) !== shown(other);
}
