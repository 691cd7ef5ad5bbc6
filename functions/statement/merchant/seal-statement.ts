import { NothingSealedError } from '#domain/errors/nothing-sealed-error.ts';
import type { Day } from '#domain/day/business-day.ts';
import { assertOver, daysOf } from '#domain/period/period.ts';
import type { Period, PeriodDays } from '#domain/period/period.ts';
import { SEEN_FOR } from '#domain/plan/statement-item.ts';
import type { SeenDays } from '#domain/plan/statement-item.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { composeStatement } from '#domain/statement/compose-statement.ts';
import type { StatementContent } from '#domain/statement/compose-statement.ts';
import { statementSchema } from '#domain/statement/statement.ts';
import type { Statement } from '#domain/statement/statement.ts';
import { statementKey } from '#domain/storage/statement-keys.ts';
import type { Dependencies } from '../dependencies.ts';
import { sealNext } from '../seal-next.ts';
import type { SealedPage } from '../seal-next.ts';
import { comparedIn, otherPeriods } from './compared.ts';
import { daysOfPeriod } from './days-of-period.ts';
import { readPages } from './read-pages.ts';

/** The statement to make. */
export interface StatementRequest {
  settings: MerchantSettings;
  period: Period;
  scheduledTime: string | null;
  /** The newest revision of each day of the period, as `plan` saw it. */
  revisions?: readonly number[] | undefined;
  /** With `revisions`. */
  seen?: SeenDays | undefined;
}

type Ports = Pick<Dependencies, 'snapshots' | 'statements' | 'history' | 'clock' | 'telemetry'>;

/**
 * Adds up the newest pages of the period, and seals the sum as the next revision, or finds it unchanged. A statement that
 * names a day which is kept no longer stays as it is: it cannot be added up again.
 *
 * @param store whether to store it; `false` for a dry run
 * @throws {InvalidPeriodError} when the period is not over
 * @throws {NothingSealedError} when no day of the period is sealed
 * @throws {SealContestedError} when other runs took the number three times
 */
export async function sealStatement(
  ports: Ports,
  request: StatementRequest,
  store: boolean,
): Promise<SealedPage<Statement>> {
  const { settings, period, scheduledTime } = request;
  const owner = { merchantCode: settings.merchantCode };
  return sealNext(ports.statements, { owner, period, store }, async (newest) => {
    const now = ports.clock.now();
    const days = await daysOfPeriod(ports.statements, { settings, period, own: newest, now });
    assertOver(period, days, { now, timeZone: settings.timeZone });
    // A first statement is compared for sure, so both are read at once.
    const [content, early] = await Promise.all([
      contentOf(ports, request, newest, days),
      newest === undefined ? otherPeriods(ports, settings, period) : undefined,
    ]);
    if (newest !== undefined && (newest.digest === content.digest || lacksNamedDay(content, newest)))
      return newest;
    const others = early ?? (await otherPeriods(ports, settings, period));
    const revision = (newest?.revision ?? 0) + 1;
    // Parsed, so that nothing is sealed that could not be read again.
    return statementSchema.parse({
      ...content,
      ...comparedIn(content.currency, settings, others),
      revision,
      sealedAt: new Date(ports.clock.now()).toISOString(),
      scheduledTime,
      previous: newest === undefined ? null : statementKey({ owner, period, revision: newest.revision }),
      timeZone: newest?.timeZone ?? settings.timeZone,
    });
  });
}

/** Whether a day that the newest statement names is gone, because its time to be kept is over. Without it, the sum would be less. */
function lacksNamedDay({ from, to, days }: StatementContent, newest: Statement): boolean {
  const there = new Set(days.map(({ day }) => day));
  return newest.days.some(({ day }) => from <= day && day <= to && !there.has(day));
}

/**
 * The newest revision of each day as `plan` saw it, `undefined` when nobody has looked, or not just now, or at other days.
 * Older ones would be final, and no look of `plan` would find that a day had changed before.
 */
function seenRevisions(
  { revisions, seen }: Pick<StatementRequest, 'revisions' | 'seen'>,
  [from, ...others]: readonly Day[],
  now: number,
): readonly number[] | undefined {
  if (revisions === undefined || seen === undefined) return undefined;
  const isOfTheseDays = seen.from === from && revisions.length === 1 + others.length;
  return isOfTheseDays && Math.abs(now - Date.parse(seen.at)) <= SEEN_FOR ? revisions : undefined;
}

async function contentOf(
  ports: Ports,
  request: StatementRequest,
  newest: Statement | undefined,
  { from, to }: PeriodDays,
): Promise<StatementContent> {
  const { settings, period } = request;
  const { merchantCode, currency, reportFrom, charges } = settings;
  const days = daysOf({ from, to });
  const revisions = seenRevisions(request, days, ports.clock.now());
  // No older page than the newest statement names: `plan` may have looked before it was sealed.
  const named = new Map(newest?.days.map(({ day, revision }) => [day, revision]));
  const pages = await readPages(ports, {
    settings,
    days,
    seen: (day) => revisions && Math.max(revisions[days.indexOf(day)] ?? 0, named.get(day) ?? 0),
  });
  if (pages.length === 0) {
    throw new NothingSealedError(
      `merchant ${merchantCode}, period ${period}: no day is sealed, so there is nothing to add up`,
    );
  }
  const subject = { merchantCode, period, from, to, currency, reportFrom, charges };
  return composeStatement({ ...subject, knownCurrencies: currenciesOf(newest) }, pages);
}

/** The currency of each day of a statement. */
function currenciesOf(statement: Statement | undefined): ReadonlyMap<Day, string> {
  const days = statement?.days ?? [];
  return new Map(
    days.flatMap(({ day, currency = statement?.currency ?? null }) =>
      currency === null ? [] : [[day, currency] as const],
    ),
  );
}
