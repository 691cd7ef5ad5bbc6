import pLimit from 'p-limit';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { withoutFutureTimes } from '#records/ledger/alert-state.ts';
import {
  ALERT_STATES,
  PERIOD_LEDGERS,
  addressHash,
  alertLedgerKey,
  isAlertStateKey,
  ledgerPrefix,
  merchantInKey,
  pageInLedgerKey,
  periodLedgerPrefix,
} from '#records/storage/keys.ts';
import type { PageOwner } from '#records/storage/keys.ts';
import { isAbandoned, withWriterGone, roundStatus } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { ListedObject, StoredObjects } from './stored-objects.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { Registry } from '#registry/registry.ts';
import type { Dependencies, SweepRun } from './dependencies.ts';
import {
  subjectInKey,
  spoiltNotice,
  unfinishedNotices,
  unsentNotice,
  notifyOfMails,
} from './sweep-notices.ts';
import type { SweepNotice } from './sweep-notices.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { allMerchants } from '#registry/merchants.ts';
import { allGroups } from '#registry/groups.ts';
import type { StatementTimes } from '#records/period/due.ts';
import { periodDays, periodKind } from '#records/period/period.ts';
import type { Period, PeriodKind } from '#records/period/period.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Days, when the registry says nothing else, or cannot be used. */
const USUAL = 45;
const DUE_WITHIN: Readonly<Record<PeriodKind, number>> = { day: 2, week: 8, month: 29 };
/** Days. Zones differ by up to a day, and ledgers are looked at for two more days. */
const PERIODS_SPREAD = 3;

/** Milliseconds. */
export type OpenTimes = Pick<StatementTimes, 'waitFor' | 'correctFor'>;

/** In days, and never less than the product's. */
function longestOpen(open: Iterable<OpenTimes>): number {
  let longest = USUAL * DAY;
  for (const { waitFor, correctFor } of open) longest = Math.max(longest, waitFor, correctFor);
  return Math.ceil(longest / DAY);
}

/**
 * Periods whose statements are still issued or corrected; a person asks for older mails, and sees a failure.
 * @param times none without a usable registry
 * @param now milliseconds UTC
 */
export function periodsMailed(present: readonly Period[], times: Iterable<OpenTimes>, now: number): Period[] {
  const open = longestOpen(times);
  const today = dayAt(now, 'UTC');
  return present.filter((period) => {
    const kind = periodKind(period);
    if (kind === undefined) return false;
    // Of all weeks with this name, those that begin on a Thursday end last.
    const { to } = periodDays(period, 'thursday');
    return to >= addDays(today, -(open + DUE_WITHIN[kind] + PERIODS_SPREAD));
  });
}

/** Reads all once: searching for each merchant would cost the square of its length. */
function ownersOf(registry: Registry | undefined) {
  const merchants = registry === undefined ? [] : allMerchants(registry).merchants;
  const groups = registry === undefined ? [] : allGroups(registry).groups;
  const ofMerchants = new Map(
    merchants.map(({ merchantCode, recipients }) => [merchantCode, recipients.map(addressHash)]),
  );
  const ofGroups = new Map(groups.map(({ name, recipients }) => [name, recipients.map(addressHash)]));
  return {
    /** Hashes; `undefined` when the registry does not have the owner, or cannot be used. */
    recipientsOf: ({ merchantCode, group }: PageOwner) =>
      merchantCode === undefined ? ofGroups.get(group) : ofMerchants.get(merchantCode),
    openTimes: [...merchants.flatMap(({ statements }) => statements ?? []), ...groups],
  };
}

/** Days that are looked at whatever the registry says. */
const RECENT = 16;
/** Days: a report goes out the next day, zones differ by one, and ledgers are looked at for two more. */
const SPREAD = 5;

/** Days perhaps mailed recently: the last ones, and merchants' lookback days. @param now milliseconds UTC */
export function daysMailed(registry: Registry | undefined, now: number): Day[] {
  const merchants = registry === undefined ? [] : allMerchants(registry).merchants;
  const lookback = new Set(merchants.flatMap(({ lookbackDays }) => lookbackDays));
  const back = new Set(Array.from({ length: RECENT }, (_, days) => days));
  for (const days of lookback) for (let more = 0; more < SPREAD; more += 1) back.add(days + more);
  const first = addDays(dayAt(now, 'UTC'), 1);
  return [...back].map((days) => addDays(first, -days));
}

const MINUTE = 60_000;
/** Milliseconds after a ledger can be settled. */
const LOOKED_AT = 25 * 60 * MINUTE;
const CONCURRENCY = 40;
const MOST_TRIES = 5;

export interface SettledLedgers {
  settled: number;
  held: number;
}

interface MailRun extends SweepRun {
  found: SweepNotice[];
  recipientsOf: ReturnType<typeof ownersOf>['recipientsOf'];
}

/** Closes ledgers of dead runs, and notifies ops of mails whose fate is unknown. @param now milliseconds UTC */
export async function settleLedgers(sweep: SweepRun, now: number): Promise<SettledLedgers> {
  const before = now - sweep.unsettledAfterMinutes * MINUTE;
  const inTime = ({ lastModified }: ListedObject) =>
    lastModified < before && lastModified >= before - LOOKED_AT;
  const { objects, failures } = sweep;
  const registry = await registryOrNone(sweep);
  const { recipientsOf, openTimes } = ownersOf(registry);
  const run: MailRun = { ...sweep, found: [], recipientsOf };
  const [underDays, underPeriods, underStates] = await Promise.all([
    Promise.all(daysMailed(registry, now).map((day) => objects.under(ledgerPrefix(day)))),
    ledgersOfPeriods(objects, openTimes, now),
    objects.under(ALERT_STATES),
  ]);
  const ledgers = [...underDays.flat(), ...underPeriods].filter(
    ({ key }) => pageInLedgerKey(key) !== undefined,
  );
  const states = underStates.filter(({ key }) => isAlertStateKey(key));
  const closed: Ledger[] = [];
  const limit = pLimit(CONCURRENCY);
  const each = (keys: readonly ListedObject[], act: (key: string) => Promise<Ledger | undefined>) =>
    limit.map(keys.filter(inTime), async ({ key }) => {
      const ledger = await failures.during(() => readable(run, () => act(key)));
      if (ledger !== undefined) closed.push(ledger);
    });
  try {
    await each(ledgers, (key) => settle(run, key, before));
    await each(states, (key) => settlePending(run, key, before));
  } finally {
    // An error that ends the sweep must not keep ops from being notified of the other mails.
    await notifyOfMails(run, run.found);
  }
  const held = closed.filter((ledger) => ledger.status === 'held' || roundStatus(ledger) === 'held').length;
  return { settled: closed.length - held, held };
}

/** Lists only periods that are there. */
async function ledgersOfPeriods(
  objects: StoredObjects,
  openTimes: readonly OpenTimes[],
  now: number,
): Promise<ListedObject[]> {
  const folders = await objects.foldersUnder(PERIOD_LEDGERS);
  const present = folders.map((folder) => folder.slice(PERIOD_LEDGERS.length, -1));
  const periods = periodsMailed(present, openTimes, now);
  const listed = await Promise.all(periods.map((period) => objects.under(periodLedgerPrefix(period))));
  return listed.flat();
}

async function registryOrNone({ registry, telemetry }: Dependencies): Promise<Registry | undefined> {
  try {
    return (await registry.load()).registry;
  } catch (error) {
    // S3 may serve the registry again in a minute. The next sweep tries again.
    if (!(error instanceof RegistryError)) throw error;
    // Mails that were begun are settled even without a registry.
    telemetry.logError(error);
    return undefined;
  }
}

/** What a later sweep cannot read either needs a person. */
async function readable<T>(run: MailRun, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoredObjectError)) throw error;
    run.telemetry.logError(error);
    run.found.push(spoiltNotice(error));
    return undefined;
  }
}

/** Closes a ledger if its writer is dead; `undefined` when there was nothing to close. */
async function settle(run: MailRun, key: string, before: number): Promise<Ledger | undefined> {
  const { ledgers, clock } = run;
  const subject = subjectInKey(key);
  if (subject === undefined) return undefined;
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const standing = await ledgers.read(key);
    if (standing === undefined) return undefined;
    if (!isAbandoned(standing.ledger, before)) {
      // A run or a sweep may have died before it notified ops. What ops know already is not sent again.
      run.found.push(...unfinishedNotices(key, subject, standing.ledger));
      return undefined;
    }
    const now = clock.now();
    const at = new Date(now).toISOString();
    const gone = withWriterGone(standing.ledger, run.recipientsOf(subject.owner), at);
    if ((await ledgers.update(key, gone, standing.version, now)) === undefined) continue;
    run.found.push(...unfinishedNotices(key, subject, gone));
    return gone;
  }
  // Others change this ledger now. The next sweep looks again.
  return undefined;
}

async function settlePending(run: MailRun, stateKey: string, before: number): Promise<Ledger | undefined> {
  const merchantCode = merchantInKey(stateKey);
  if (merchantCode === undefined) return undefined;
  const standing = await run.objects.alertState(merchantCode);
  const state = standing && withoutFutureTimes(standing, run.clock.now());
  const pending = state?.owed ?? null;
  // A check that has run since the listing sends the pending mail itself, or is about to.
  if (state === undefined || pending === null || Date.parse(state.tick) >= before) return undefined;
  const key = alertLedgerKey(merchantCode, pending.check);
  if ((await run.ledgers.read(key)) === undefined) {
    run.found.push(unsentNotice(merchantCode, pending.check, pending.day));
    return undefined;
  }
  return settle(run, key, before);
}
