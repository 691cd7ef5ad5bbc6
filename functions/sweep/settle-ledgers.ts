import pLimit from 'p-limit';
import { StoredObjectError } from '#aws/s3-objects.ts';
import { withoutFutureTimes } from '#domain/alerts/future-times.ts';
import {
  ALERT_STATES,
  addressHash,
  alertLedgerKey,
  isAlertStateKey,
  isLedgerKey,
  ledgerPrefix,
  merchantInKey,
} from '#domain/storage/keys.ts';
import { isAbandoned, withWriterGone } from '#domain/ledger/ledger-close.ts';
import { roundStatus } from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { ListedObject } from './orphans.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { RegistryError } from '#domain/registry/registry-errors.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { daysMailed } from './days-mailed.ts';
import type { Dependencies, SweepRun } from './dependencies.ts';
import { spoiltNotice, unfinishedNotices, unsentNotice } from './sweep-notices.ts';
import type { SweepNotice } from './sweep-notices.ts';
import { notifyOfMails } from './notify-of-mails.ts';

const MINUTE = 60_000;
/** Ledgers are looked at for so long after they could first be settled. Milliseconds. */
const LOOKED_AT = 25 * 60 * MINUTE;
const CONCURRENCY = 40;
const MOST_TRIES = 5;

/** How many ledgers of dead runs were closed, by what they came to. */
export interface SettledLedgers {
  /** With nothing that is not known. */
  settled: number;
  /** With recipients of whom it is not known whether they have the mail. */
  held: number;
}

/** A sweep that looks at mail: what it is to tell ops in the end, and who was to get mail. */
interface MailRun extends SweepRun {
  found: SweepNotice[];
  /** Hashes, by merchant; empty where there is no usable registry. */
  recipients: ReadonlyMap<string, readonly string[]>;
}

/** Closes the ledgers whose runs died, and sees to it that ops know of every mail of which nobody knows. */
export async function settleLedgers(sweep: SweepRun, now: number): Promise<SettledLedgers> {
  const before = now - sweep.unsettledAfterMinutes * MINUTE;
  const inTime = ({ lastModified }: ListedObject) =>
    lastModified < before && lastModified >= before - LOOKED_AT;
  const { objects, failures } = sweep;
  const registry = await registryOrNone(sweep);
  const run: MailRun = { ...sweep, found: [], recipients: recipientsOf(registry) };
  const [underDays, underStates] = await Promise.all([
    Promise.all(daysMailed(registry, now).map((day) => objects.under(ledgerPrefix(day)))),
    objects.under(ALERT_STATES),
  ]);
  const ledgers = underDays.flat().filter(({ key }) => isLedgerKey(key));
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
    await each(states, (key) => settleOwed(run, key, before));
  } finally {
    // What ends the sweep must not keep ops from hearing of the others.
    await notifyOfMails(run, run.found);
  }
  const held = closed.filter((ledger) => ledger.status === 'held' || roundStatus(ledger) === 'held').length;
  return { settled: closed.length - held, held };
}

async function registryOrNone({ registry, telemetry }: Dependencies): Promise<Registry | undefined> {
  try {
    return (await registry.load()).registry;
  } catch (error) {
    // S3 may have the registry again in a minute, and the sweep comes again.
    if (!(error instanceof RegistryError)) throw error;
    // What was begun is settled all the same.
    telemetry.logError(error);
    return undefined;
  }
}

/** What cannot be read is for a person to mend; no later sweep reads it either. */
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

/** Looked up once: to look each merchant up costs by the length of the registry, and all of them by its square. */
function recipientsOf(registry: Registry | undefined): Map<string, string[]> {
  const merchants = registry === undefined ? [] : allMerchants(registry).merchants;
  return new Map(
    merchants.map(({ merchantCode, recipients }) => [merchantCode, recipients.map(addressHash)]),
  );
}

/** Closes one ledger where its writer is dead. @returns it as closed, `undefined` where there was nothing to close */
async function settle(run: MailRun, key: string, before: number): Promise<Ledger | undefined> {
  const { ledgers, clock } = run;
  const merchantCode = merchantInKey(key);
  if (merchantCode === undefined) return undefined;
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const standing = await ledgers.read(key);
    if (standing === undefined) return undefined;
    if (!isAbandoned(standing.ledger, before)) {
      // A run, or a sweep, that died before it could tell is told of now; what ops know already is not told again.
      run.found.push(...unfinishedNotices(key, merchantCode, standing.ledger));
      return undefined;
    }
    const at = new Date(clock.now()).toISOString();
    const gone = withWriterGone(standing.ledger, run.recipients.get(merchantCode), at);
    if ((await ledgers.update(key, gone, standing.version)) === undefined) continue;
    run.found.push(...unfinishedNotices(key, merchantCode, gone));
    return gone;
  }
  // Others are at it: the next sweep looks again.
  return undefined;
}

/** The mail that a merchant's last check owes; no check has come since, or it would have seen to it. */
async function settleOwed(run: MailRun, stateKey: string, before: number): Promise<Ledger | undefined> {
  const merchantCode = merchantInKey(stateKey);
  if (merchantCode === undefined) return undefined;
  const standing = (await run.alertStates.read(merchantCode))?.state;
  const state = standing && withoutFutureTimes(standing, run.clock.now());
  const owed = state?.owed ?? null;
  // A check that has come since the listing sees to what is owed, and may be about to.
  if (state === undefined || owed === null || Date.parse(state.tick) >= before) return undefined;
  const key = alertLedgerKey(merchantCode, owed.check);
  if ((await run.ledgers.read(key)) === undefined) {
    run.found.push(unsentNotice(merchantCode, owed.check));
    return undefined;
  }
  return settle(run, key, before);
}
