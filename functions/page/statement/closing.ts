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

/** Writes down that the newest revision is closed, if it is. A run that dies before it leaves it to the next look. */
export async function recordClosing(
  { snapshots, closings }: Pick<Ports, 'snapshots' | 'closings'>,
  { statements }: MerchantSettings,
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

/**
 * Days before a statement that closed ones may still change: as long as invoices are followed or days are read again,
 * from the end of a month whose statement is made five weeks later.
 */
const LOOKED_BACK = 66;

const DAY = 24 * 60 * 60 * 1_000;

/** The newest pages of the days of a closed statement that are newer than it, or of which others told. */
async function changedPages(
  { snapshots }: Ports,
  merchantCode: string,
  closed: ClosedStatement,
  told: readonly Adjustment[],
): Promise<Manifest[]> {
  // Two statements may have told the same change at once, so what was told is looked at again.
  const next = new Map(closed.days.map(({ day, revision }) => [day, revision + 1]));
  for (const { day, revision } of told) next.set(day, Math.max(revision, next.get(day) ?? 0));
  const pages = await pLimit(READS_AT_ONCE).map(daysOf(closed), async (day) => {
    const place = merchantDay(merchantCode, day);
    let newest: Manifest | undefined;
    // Numbers have no gaps.
    for (let revision = next.get(day) ?? 1; ; revision += 1) {
      const page = await snapshots.revision({ ...place, revision });
      if (page === undefined) return newest ?? [];
      newest = page;
    }
  });
  return pages.flat();
}

async function untold(
  ports: Ports,
  settings: MerchantSettings,
  closed: ClosedStatement,
  isReopened: boolean,
  told: readonly Adjustment[],
): Promise<Adjustment[]> {
  const { merchantCode, redact, charges } = settings;
  const { period, revision } = closed;
  const id = { owner: { merchantCode }, period };
  const newest = isReopened ? await ports.statements.newest(id) : undefined;
  // Until its next revision is made, it does not say itself what others have told.
  if (newest !== undefined && newest.revision > revision) return adjustmentsOf(newest, told, 'reopened');
  const pages = await changedPages(ports, merchantCode, closed, told);
  const sealed = pages.length === 0 ? undefined : await ports.statements.revision({ ...id, revision });
  if (sealed === undefined) return [];
  const currencies = dayCurrencies(sealed);
  const current = pages.map((page) => ({
    ...statementDay(redactedPage(page, redact), page.charges ?? charges),
    currency: page.currency ?? currencies.get(page.day) ?? settings.currency,
  }));
  return adjustmentsOf(sealed, told, current);
}

/**
 * What a statement tells of the closed ones before it: all that the others have not told. Of two open statements the earlier one
 * tells it. While nothing closes, no other statement begins to tell.
 * @param own the newest revision of the statement
 */
export async function adjustmentsFor(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
  own: Pick<Statement, 'adjustments'> | undefined,
): Promise<readonly Adjustment[]> {
  const { merchantCode, followFor, lookbackDays, timeZone, statements } = settings;
  const standing = own?.adjustments ?? [];
  const { closeAfter } = statements ?? {};
  if (closeAfter === undefined && standing.length === 0) return standing;
  // Weeks begin on Monday here: a few days make no difference.
  const { from } = periodDays(period, 'monday');
  const followedFrom = addDays(from, -(Math.max(followFor, ...lookbackDays) + LOOKED_BACK));
  const reopenedFrom = addDays(from, -Math.ceil(((closeAfter ?? 0) + REOPENING) / DAY));
  const oldest = followedFrom < reopenedFrom ? followedFrom : reopenedFrom;
  const today = dayAt(ports.clock.now(), timeZone);
  /** All others of its kind until now, the oldest first. */
  const periods: Period[] = [];
  const present = periodKind(period) === 'week' ? weekOf(today, 'monday') : monthOf(today);
  for (let one = present; periodDays(one, 'monday').to >= oldest; one = periodBefore(one))
    if (one !== period) periods.unshift(one);
  const read = pLimit(READS_AT_ONCE);
  const idOf = (one: Period) => ({ owner: { merchantCode }, period: one });
  const closedIn = async (one: Period) => {
    const closed = await ports.closings.closed(idOf(one));
    const reopened = closed && (await ports.closings.reopened({ ...idOf(one), revision: closed.revision }));
    return { of: one, closed, isReopened: reopened !== undefined };
  };
  const toldBy = async ({ of, closed, isReopened }: Awaited<ReturnType<typeof closedIn>>) => {
    const isClosed = closed !== undefined && !isReopened;
    if (isClosed ? closed.adjusts.length === 0 : of > period) return [];
    const statement = await (isClosed
      ? ports.statements.revision({ ...idOf(of), revision: closed.revision })
      : ports.statements.newest(idOf(of)));
    return statement?.adjustments ?? [];
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
    const adjusted = others.flatMap(({ of, closed, isReopened }) => {
      const isLookedAt = isReopened || periodDays(of, 'monday').to >= followedFrom;
      return closed !== undefined && of < period && isLookedAt ? [{ closed, isReopened }] : [];
    });
    const later = others.filter(({ of }) => adjusted.some(({ closed }) => closed.period < of));
    const told = (await read.map(later, toldBy)).flat();
    const tellings = adjusted.map(({ closed, isReopened }) => {
      const before = standing.filter((one) => one.period === closed.period);
      return untold(ports, settings, closed, isReopened, told).catch(standingIs(before));
    });
    const kept = standing.filter((one) => adjusted.every(({ closed }) => closed.period !== one.period));
    return [...kept, ...(await Promise.all(tellings)).flat()];
  };
  return tell().catch(standingIs(standing));
}
