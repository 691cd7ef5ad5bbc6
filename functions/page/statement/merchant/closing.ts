import pLimit from 'p-limit';
import { addDays, dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { closesAt } from '#records/period/due.ts';
import { daysOf, monthOf, periodBefore, periodDays, periodKind, weekAfter } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { durationText } from '#registry/statement-settings.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { redactedPage, statementDay } from '#page/figures/add-figures.ts';
import { adjustmentsOf } from '#page/figures/adjustments.ts';
import type { Adjustment, CurrentDay } from '#page/figures/adjustments.ts';
import type { Statement } from '#page/figures/statement.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { ClosedStatement } from '#page/figures/closed-statement.ts';
import type { Dependencies } from '../dependencies.ts';

type Ports = Pick<Dependencies, 'statements' | 'snapshots' | 'closings' | 'history' | 'clock' | 'telemetry'>;

const READS_AT_ONCE = 16;

/**
 * Whether a statement is to be closed now. One that was reopened stays open as long again.
 * @param now milliseconds UTC
 */
export function isToClose(
  { to, final, reopenedAt }: Pick<Statement, 'to' | 'final' | 'reopenedAt'>,
  { timeZone, statements }: Pick<MerchantSettings, 'timeZone' | 'statements'>,
  now: number,
): boolean {
  const { closeAfter } = statements ?? {};
  const at = closesAt(to, { timeZone, closeAfter });
  if (!final || at === undefined || closeAfter === undefined) return false;
  return now >= at && (reopenedAt === undefined || now >= Date.parse(reopenedAt) + closeAfter);
}

/** Writes down that the newest revision is closed, if it is. A run that dies before it leaves it to the next look. */
export async function recordClosing(
  { snapshots, closings }: Pick<Ports, 'snapshots' | 'closings'>,
  { statements }: Pick<MerchantSettings, 'statements'>,
  statement: Statement,
): Promise<void> {
  const { merchantCode, period, from, to, revision, closedAt, days, adjustments = [] } = statement;
  if (closedAt === undefined) return;
  const rule = statements?.closeAfter === undefined ? null : durationText(statements.closeAfter);
  const adjusts = [...new Set(adjustments.map((one) => one.period))];
  await closings.record({ merchantCode, period, from, to, revision, closedAt, rule, adjusts }, () =>
    pLimit(READS_AT_ONCE).map(days, async (named) => {
      const place = { ...merchantDay(merchantCode, named.day), revision: named.revision };
      const page = await unlessSpoilt(() => snapshots.revision(place));
      return { day: named.day, revision: named.revision, digest: page?.digest ?? null };
    }),
  );
}

function periodAfter(period: Period): Period {
  if (periodKind(period) === 'week') return weekAfter(period);
  return monthOf(addDays(periodDays(period, 'monday').to, 1));
}

/**
 * Days before a statement that closed ones may still change: as long as invoices are followed, from the end of a month
 * whose statement is made five weeks later.
 */
const LOOKED_BACK = 66;

interface ClosedPeriod {
  period: Period;
  /** The newest that was closed. */
  closed: ClosedStatement;
  isReopened: boolean;
}

async function closedIn(
  { closings }: Ports,
  merchantCode: string,
  period: Period,
): Promise<ClosedPeriod | undefined> {
  const id = { owner: { merchantCode }, period };
  const closed = await closings.closed(id);
  if (closed === undefined) return undefined;
  const reopened = await closings.reopened({ ...id, revision: closed.revision });
  return { period, closed, isReopened: reopened !== undefined };
}

/** A day's newest whole page after a revision; `undefined` when there is none. Numbers have no gaps. */
async function newerPage(
  { snapshots }: Ports,
  settings: MerchantSettings,
  day: Day,
  { after, known }: { after: number; known: number },
): Promise<Manifest | undefined> {
  const page = (revision: number) =>
    snapshots.revision({ ...merchantDay(settings.merchantCode, day), revision });
  let [newest, revision] = [known > after ? await page(known) : undefined, Math.max(known, after)];
  for (let next = await page(++revision); next !== undefined; next = await page(++revision)) newest = next;
  return newest !== undefined && soFarUntil(newest, settings.timeZone) === null ? newest : undefined;
}

interface AdjustedPeriod {
  settings: MerchantSettings;
  /** What others have told of it. */
  told: readonly Adjustment[];
  /** The newest revisions that the merchant's history knows. */
  known: ReadonlyMap<Day, number>;
}

/** The newest pages of the days that are newer than what was told of them. */
async function currentDays(
  ports: Ports,
  { closed }: ClosedPeriod,
  statement: () => Promise<Statement | undefined>,
  { settings, told, known }: AdjustedPeriod,
): Promise<CurrentDay[]> {
  const named = new Map(closed.days.map(({ day, revision }) => [day, revision]));
  for (const { day, revision } of told) named.set(day, Math.max(revision, named.get(day) ?? 0));
  const isTold = new Set(told.map(({ day }) => day));
  const pages = await pLimit(READS_AT_ONCE).map(daysOf(closed), async (day) => {
    const after = named.get(day) ?? 0;
    const newer = await newerPage(ports, settings, day, { after, known: known.get(day) ?? 0 });
    if (newer !== undefined || !isTold.has(day)) return newer ?? [];
    // Two statements may have told the same change at once.
    return (
      (await ports.snapshots.revision({ ...merchantDay(settings.merchantCode, day), revision: after })) ?? []
    );
  });
  const found = pages.flat();
  if (found.length === 0) return [];
  const sealed = await statement();
  const currencies = new Map(sealed?.days.map(({ day, currency }) => [day, currency ?? sealed.currency]));
  return found.map((page) => ({
    ...statementDay(redactedPage(page, settings.redact), page.charges ?? settings.charges),
    currency: page.currency ?? currencies.get(page.day) ?? settings.currency,
  }));
}

/**
 * What a statement tells of the closed ones before it: all that the others have not told. Of two open statements the earlier one
 * tells it. While `closeAfter` is off, it stays as it is.
 * @param own the newest revision of the statement
 */
export async function adjustmentsFor(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
  own: Pick<Statement, 'adjustments'> | undefined,
): Promise<Adjustment[]> {
  const { merchantCode, followFor, timeZone, statements } = settings;
  const standing = own?.adjustments ?? [];
  if (statements?.closeAfter === undefined) return standing;
  const oldest = addDays(periodDays(period, 'monday').from, -(followFor + LOOKED_BACK));
  const today = dayAt(ports.clock.now(), timeZone);
  const periods: Period[] = [];
  for (let one = periodBefore(period); periodDays(one, 'monday').to >= oldest; one = periodBefore(one))
    periods.unshift(one);
  for (let one = periodAfter(period); periodDays(one, 'monday').from <= today; one = periodAfter(one))
    periods.push(one);
  const read = pLimit(READS_AT_ONCE);
  const found = await read.map(periods, (one) => closedIn(ports, merchantCode, one));
  const first = found.findIndex((one) => one !== undefined && one.period < period);
  if (first === -1) return standing;
  const statementOf = (one: Period, revision?: number) => {
    const id = { owner: { merchantCode }, period: one };
    return revision === undefined
      ? ports.statements.newest(id)
      : ports.statements.revision({ ...id, revision });
  };
  const told = await read.map(periods.slice(first + 1), async (one, index) => {
    const state = found[first + 1 + index];
    const isClosed = state !== undefined && !state.isReopened;
    if (isClosed ? state.closed.adjusts.length === 0 : one > period) return [];
    return (await statementOf(one, isClosed ? state.closed.revision : undefined))?.adjustments ?? [];
  });
  const known = new Map(
    (await ports.history.stored(merchantCode)).days.map((day) => [day.day, day.revision]),
  );
  const adjusted = found.flatMap((state) => (state === undefined || state.period > period ? [] : [state]));
  const adjustments = await Promise.all(
    adjusted.map(async (state) => {
      const ofIt = told.flat().filter((one) => one.period === state.period);
      const revision = state.isReopened ? undefined : state.closed.revision;
      const statement = () => statementOf(state.period, revision);
      try {
        const asked = { settings, told: ofIt, known };
        const current = state.isReopened ? 'reopened' : await currentDays(ports, state, statement, asked);
        if (current.length === 0 || (current === 'reopened' && ofIt.length === 0)) return [];
        const sealed = await statement();
        return sealed === undefined ? [] : adjustmentsOf(sealed, ofIt, current);
      } catch (error) {
        // An object that cannot be read stops no statement: what was told stays.
        if (!isUnreadableObject(error)) throw error;
        ports.telemetry.logError(error);
        return standing.filter((one) => one.period === state.period);
      }
    }),
  );
  return adjustments.flat();
}
