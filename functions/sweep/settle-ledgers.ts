import pLimit from 'p-limit';
import { StoredObjectError } from '../shared/adapters/s3-objects.ts';
import { withoutFutureTimes } from '../shared/core/alerts/future-times.ts';
import {
  ALERT_STATES,
  addressHash,
  alertLedgerKey,
  isAlertStateKey,
  isLedgerKey,
  ledgerPrefix,
  merchantInKey,
} from '../shared/core/keys.ts';
import { isAbandoned, withWriterGone } from '../shared/core/ledger-close.ts';
import { roundStatus } from '../shared/core/ledger-standing.ts';
import type { Ledger } from '../shared/core/ledger.ts';
import type { ListedObject } from '../shared/core/orphans.ts';
import { merchantSettings, RegistryError } from '../shared/core/registry.ts';
import type { Registry } from '../shared/core/registry.ts';
import { daysMailed } from './days-mailed.ts';
import type { Dependencies, SweepRun } from './dependencies.ts';
import { tellOfSpoilt, tellOfUnfinished, tellOfUnsent } from './sweep-notices.ts';

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

/** Closes the ledgers whose runs died, and sees to it that ops know of every mail of which nobody knows. */
export async function settleLedgers(run: SweepRun, now: number): Promise<SettledLedgers> {
  const before = now - run.unsettledAfterMinutes * MINUTE;
  const inTime = ({ lastModified }: ListedObject) =>
    lastModified < before && lastModified >= before - LOOKED_AT;
  const { objects, failures } = run;
  const registry = await registryOrNone(run);
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
  await each(ledgers, (key) => settle(run, registry, key, before));
  await each(states, (key) => settleOwed(run, registry, key, before));
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
async function readable<T>(run: SweepRun, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoredObjectError)) throw error;
    run.telemetry.logError(error);
    await tellOfSpoilt(run, error);
    return undefined;
  }
}

/** The hashes of a merchant's recipients, `undefined` where the registry does not tell. */
function recipientsOf(registry: Registry | undefined, merchantCode: string): string[] | undefined {
  if (registry === undefined) return undefined;
  try {
    return merchantSettings(registry, merchantCode).recipients.map(addressHash);
  } catch {
    return undefined;
  }
}

/** Closes one ledger where its writer is dead. @returns it as closed, `undefined` where there was nothing to close */
async function settle(
  run: SweepRun,
  registry: Registry | undefined,
  key: string,
  before: number,
): Promise<Ledger | undefined> {
  const { ledgers, clock } = run;
  const merchantCode = merchantInKey(key);
  if (merchantCode === undefined) return undefined;
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const standing = await ledgers.read(key);
    if (standing === undefined) return undefined;
    if (!isAbandoned(standing.ledger, before)) {
      // A run, or a sweep, that died before it could tell is told of now; what ops know already is not told again.
      await tellOfUnfinished(run, key, merchantCode, standing.ledger);
      return undefined;
    }
    const at = new Date(clock.now()).toISOString();
    const gone = withWriterGone(standing.ledger, recipientsOf(registry, merchantCode), at);
    if ((await ledgers.update(key, gone, standing.version)) === undefined) continue;
    await tellOfUnfinished(run, key, merchantCode, gone);
    return gone;
  }
  // Others are at it: the next sweep looks again.
  return undefined;
}

/** The mail that a merchant's last check owes; no check has come since, or it would have seen to it. */
async function settleOwed(
  run: SweepRun,
  registry: Registry | undefined,
  stateKey: string,
  before: number,
): Promise<Ledger | undefined> {
  const merchantCode = merchantInKey(stateKey);
  if (merchantCode === undefined) return undefined;
  const standing = (await run.alertStates.read(merchantCode))?.state;
  const state = standing && withoutFutureTimes(standing, run.clock.now());
  const owed = state?.owed ?? null;
  // A check that has come since the listing sees to what is owed, and may be about to.
  if (state === undefined || owed === null || Date.parse(state.tick) >= before) return undefined;
  const key = alertLedgerKey(merchantCode, owed.check);
  if ((await run.ledgers.read(key)) === undefined) {
    await tellOfUnsent(run, merchantCode, owed.check);
    return undefined;
  }
  return settle(run, registry, key, before);
}
