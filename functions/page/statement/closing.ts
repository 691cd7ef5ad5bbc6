import pLimit from 'p-limit';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { REOPENING } from '#records/period/due.ts';
import { daysOf, monthOf, periodBefore, periodDays, periodKind, weekOf } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { durationText } from '#registry/statement-settings.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { whenSpoilt } from '#runtime/s3-objects.ts';
import { redactedPage, statementDay } from '#page/figures/compose-statement.ts';
import { adjustmentsOf } from '#page/figures/adjustments.ts';
import { dayCurrencies, type Adjustment, type Statement } from '#page/figures/statement.ts';
import type { ClosedStatement } from '#records/revision/closed-statement.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { Dependencies } from './dependencies.ts';

type Ports = Pick<Dependencies, 'statements' | 'snapshots' | 'closings' | 'clock' | 'telemetry'>;

const READS_AT_ONCE = 16;

/** Writes down that the newest revision is closed, if it is and no record is as new. A run that dies before it leaves it to the next look. */
export async function recordClosing(ports: Ports, { statements }: MerchantSettings, statement: Statement) {
  const { merchantCode, period, from, to, revision, closedAt, adjustments = [] } = statement;
  if (closedAt === undefined) return;
  const { snapshots, closings } = ports;
  const id = { owner: { merchantCode }, period };
  const standing = await closings.closed(id);
  if (standing !== undefined && standing.value.revision >= revision) return;
  const days = await pLimit(READS_AT_ONCE).map(statement.days, async (named) => {
    const place = { ...merchantDay(merchantCode, named.day), revision: named.revision };
    const page = await unlessSpoilt(() => snapshots.revision(place));
    return { day: named.day, revision: named.revision, digest: page?.digest ?? null };
  });
  const rule = statements?.closeAfter === undefined ? null : durationText(statements.closeAfter);
  const adjusts = [...new Set(adjustments.map((one) => one.period))];
  const closed = { merchantCode, period, from, to, revision, closedAt, rule, days, adjusts };
  await closings.record(id, closed, standing?.version);
}

/** Days more than invoices are followed or days read again: a month, whose statement is made five weeks after it. */
const LOOKED_BACK = 66;

/** What the newest pages of the days of a closed statement say, and nobody has told. */
async function untold(
  { snapshots }: Ports,
  { merchantCode, redact, charges, currency }: MerchantSettings,
  closed: ClosedStatement,
  newest: Statement | undefined,
  told: Adjustment[],
) {
  if (newest === undefined) return [];
  // A reopened one. Until its next revision is made, it does not say itself what others have told.
  if (newest.revision > closed.revision) return adjustmentsOf(newest, told, 'reopened');
  // Two statements may have told the same change at once, so what was told is looked at again.
  const next = new Map(newest.days.map(({ day, revision }) => [day, revision + 1]));
  for (const { day, revision } of told) next.set(day, Math.max(revision, next.get(day) ?? 0));
  const currencies = dayCurrencies(newest);
  const current = await pLimit(READS_AT_ONCE).map(daysOf(newest), async (day) => {
    let page: Manifest | undefined;
    // Numbers have no gaps.
    for (let revision = next.get(day) ?? 1; ; revision += 1) {
      const later = await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
      if (later === undefined) break;
      page = later;
    }
    if (page === undefined) return [];
    const moved = statementDay(redactedPage(page, redact), page.charges ?? charges);
    return [{ ...moved, currency: page.currency ?? currencies.get(day) ?? currency }];
  });
  return adjustmentsOf(newest, told, current.flat());
}

/**
 * What a statement tells of the closed ones before it: all that the others have not told. Of two open statements the earlier one
 * tells it. While nothing closes, no other statement begins to tell.
 * @param standing what its newest revision tells
 */
export async function adjustmentsFor(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
  standing: readonly Adjustment[] = [],
): Promise<readonly Adjustment[]> {
  const { merchantCode, followFor, lookbackDays, timeZone, statements: { closeAfter } = {} } = settings;
  if (closeAfter === undefined && standing.length === 0) return standing;
  // Weeks begin on Monday here: a few days make no difference.
  const { from } = periodDays(period, 'monday');
  const followedFrom = addDays(from, -(Math.max(followFor, ...lookbackDays) + LOOKED_BACK));
  const reopenedFrom = dayAt(Date.parse(from) - (closeAfter ?? 0) - REOPENING, 'Etc/UTC');
  const oldest = followedFrom < reopenedFrom ? followedFrom : reopenedFrom;
  const today = dayAt(ports.clock.now(), timeZone);
  /** All others of its kind until now, the oldest first. */
  const periods: Period[] = [];
  const present = periodKind(period) === 'week' ? weekOf(today, 'monday') : monthOf(today);
  for (let one = present; periodDays(one, 'monday').to >= oldest; one = periodBefore(one))
    if (one !== period) periods.unshift(one);
  const read = pLimit(READS_AT_ONCE);
  const idOf = (one: Period) => ({ owner: { merchantCode }, period: one });
  const closedIn = async (of: Period) => {
    const closed = (await ports.closings.closed(idOf(of)))?.value;
    const reopened = closed && (await ports.closings.reopened({ ...idOf(of), revision: closed.revision }));
    return { of, closed, isReopened: reopened !== undefined };
  };
  type Other = Awaited<ReturnType<typeof closedIn>>;
  // A list of revisions costs as much as twelve pages.
  const newestOf = ({ of, closed, isReopened }: Other) =>
    closed === undefined || isReopened
      ? ports.statements.newest(idOf(of))
      : ports.statements.revision({ ...idOf(of), revision: closed.revision });
  const toldBy = async (other: Other) => {
    const { of, closed, isReopened } = other;
    const isClosed = closed !== undefined && !isReopened;
    if (isClosed ? closed.adjusts.length === 0 : of > period) return [];
    return (await newestOf(other))?.adjustments ?? [];
  };
  // An object that cannot be read stops no statement: what was told stays.
  const standingIs = (told: readonly Adjustment[]) =>
    whenSpoilt((error) => {
      ports.telemetry.logError(error);
      return told;
    });
  const tell = async (): Promise<readonly Adjustment[]> => {
    const others = await read.map(periods, closedIn);
    // Of an old one only a person changes what is told.
    const adjusted = others.flatMap((other) => {
      const { of, closed, isReopened } = other;
      const isLookedAt = isReopened || periodDays(of, 'monday').to >= followedFrom;
      return closed !== undefined && of < period && isLookedAt ? [{ ...other, closed }] : [];
    });
    const later = others.filter(({ of }) => adjusted.some((one) => one.of < of));
    const told = (await read.map(later, toldBy)).flat();
    const tellings = adjusted.map((other) => {
      const before = standing.filter((one) => one.period === other.of);
      const telling = newestOf(other).then((newest) => untold(ports, settings, other.closed, newest, told));
      return telling.catch(standingIs(before));
    });
    const kept = standing.filter((one) => adjusted.every(({ of }) => of !== one.period));
    return [...kept, ...(await Promise.all(tellings)).flat()];
  };
  return tell().catch(standingIs(standing));
}
