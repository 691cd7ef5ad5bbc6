import type { Day } from '#records/day/business-day.ts';
import type { Occasion } from '#records/day/occasions.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import { averageOf, likeOf, moneyOfDays } from '#records/figures/like-with-like.ts';
import type { ComparedDay, Like } from '#records/figures/like-with-like.ts';
import type { FirstReading } from '#records/figures/history.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { formatAmount, leastAmount } from '#records/money/money.ts';
import { shortDay, weekday } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';

type ComparedState = InvoiceState | 'total';

/** A column beside the counts. */
export interface CountsAgainst {
  head: string;
  /** In tenths of an invoice. `null` when a count is unknown. */
  differences: Record<ComparedState, bigint | null>;
}

/** How a day differs from the days that it is like, or why that is not said. */
export interface AgainstOthers {
  compared: CountsAgainst | null;
  notes: string[];
}

const NOT_COMPARED: AgainstOthers = { compared: null, notes: [] };

type Terms = Parameters<typeof likeOf>[1];

/** Averages are in tenths, too. */
function countDifferences(
  now: Pick<FirstReading, 'counts'>,
  others: readonly FirstReading[],
): CountsAgainst['differences'] {
  const tenths = ({ counts }: Pick<FirstReading, 'counts'>, state: ComparedState) =>
    counts[state] === null ? null : BigInt(counts[state]) * 10n;
  const difference = (state: ComparedState) => {
    const [value, usual] = [tenths(now, state), averageOf(others.map((other) => tenths(other, state)))];
    return value === null || usual === null ? null : value - usual;
  };
  return { ...ofEachState(difference), total: difference('total') };
}

function moneyNote(
  now: ComparedDay,
  others: readonly FirstReading[],
  currency: string,
  formatter: FigureFormatter,
): string[] {
  const money = moneyOfDays(now, others);
  const usual = averageOf(money?.others ?? [], leastAmount(currency));
  if (money === null || usual === null) return [];
  const difference = formatter.amount(formatAmount(money.value - usual), true);
  return [formatter.texts.say(`against.${money.basis}`, { difference })];
}

export function occasionNames(
  occasions: readonly Occasion[],
  { texts }: Pick<FigureFormatter, 'texts'>,
): string {
  return occasions.map((occasion) => texts.say(`occasions.${occasion}`)).join(texts.say('comma'));
}

/** Why a day is not compared. Empty when there is nothing to say: a merchant's first weeks have no such days. */
function whyNot(day: Day, { isUsual, occasions, isUnknown }: Like, formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const name = { weekday: isolated(weekday(day, texts)) };
  if (isUnknown && isUsual) return [texts.say('against.unknown', name)];
  if (occasions.length === 0) return [];
  const values = { ...name, occasions: occasionNames(occasions, formatter) };
  return [texts.say(isUsual ? 'against.othersAre' : 'against.dayIs', values)];
}

/** A sealed day against its weekday's usual, or a day such as Eid against last year's: first readings of both. */
export function againstOthers(page: ComparedDay, terms: Terms, formatter: FigureFormatter): AgainstOthers {
  const like = likeOf(page, terms);
  if (like === null) return NOT_COMPARED;
  const others = like.days.map(({ reading }) => reading);
  const differences = countDifferences(page, others);
  const [newest] = like.days;
  if (newest === undefined) return { compared: null, notes: whyNot(page.day, like, formatter) };
  const { texts } = formatter;
  const values = {
    count: others.length,
    weekday: isolated(weekday(page.day, texts)),
    day: isolated(shortDay(newest.day, texts)),
    occasions: occasionNames(like.occasions, formatter),
  };
  const money = moneyNote(page, others, terms.currency, formatter);
  const isCounted = Object.values(differences).some((difference) => difference !== null);
  if (!isCounted && money.length === 0) return NOT_COMPARED;
  const head = like.isUsual
    ? texts.say(others.length > 1 ? 'against.average' : 'against.one', values)
    : texts.say('against.yearBefore');
  const basis = texts.say(like.isUsual ? 'against.basis' : 'against.basis.yearBefore', values);
  return { compared: isCounted ? { head, differences } : null, notes: [[basis, ...money].join(' ')] };
}
