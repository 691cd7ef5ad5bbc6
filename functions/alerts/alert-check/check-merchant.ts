import { AFTER_MAIL } from '#runtime/clock.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { checkRules, isRuleDue, isTickNew } from '../rules/check-rules.ts';
import type { CheckResult, NoData, RuleFinding } from '../rules/check-rules.ts';
import { hasMoved, withoutFutureTimes } from '#records/ledger/alert-state.ts';
import { dayAt } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { Run } from './alert-check-run.ts';
import {
  checkName,
  mailCheck,
  laterOf,
  NO_EARLIER_MAIL,
  sendPendingMail,
  stillPending,
  notifyOfGivenUp,
} from './mail-check.ts';
import type { Dependencies } from './dependencies.ts';
import type { EarlierMail } from './mail-check.ts';
import { needsOf } from '../rules/measures.ts';
import type { Gathered } from './gather-readings.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';

const MINUTE = 60_000;

/** Notifies ops once for each spell; rules whose spells began together share a notice. @param noDataAfter minutes */
async function notifyOfNoData(
  notices: OpsNotices,
  merchantCode: string,
  spells: { noData: readonly NoData[]; tick: number; day: string },
  noDataAfter: number,
): Promise<void> {
  const { noData, tick, day } = spells;
  // Every merchant begins without enough earlier days, and so does each Eid: one notice of each cause for all of them.
  const spellOf = ({ since, cause = `merchant ${merchantCode}, since ${since}` }: NoData) => cause;
  for (const [spell, rules] of Map.groupBy(noData, spellOf)) {
    const [{ since, cause } = { since: '', cause: undefined }] = rules;
    if (tick - Date.parse(since) < noDataAfter * MINUTE) continue;
    await notices.notifyOnce({
      about: `no data: ${spell}`,
      merchants: [merchantCode],
      days: [day],
      happened: 'alert rules have no data',
      meaning: [
        `Since ${since} the values of the rules below cannot be known. They neither fire nor resolve until they are known again.`,
        'So the merchant gets no alert, even if a figure leaves its bounds.',
        ...(cause === undefined ? [] : [`The cause is ${cause}. It is said once, for all merchants.`]),
      ],
      tried: ['Each check since then tried to read the values, and so does each next check.'],
      toDo: [
        'Read the log of alert-check. It says why (ReadingsFailed): the service does not answer or leaves counts out, nothing is sealed, or the rule divides by zero.',
        'Rules against the usual need two earlier days of the same weekday: a new merchant does not have them, nor does a day such as Eid. Then there is nothing to do.',
        'Correct that cause. The next check then knows the values, and you need do nothing more.',
      ],
      headings: ['noData'],
      commands: [
        {
          shows: 'The log of alert-check for this merchant',
          does: 'show log',
          functionName: 'alert-check',
          find: merchantCode,
        },
        {
          shows: 'Reads the values again. Writes and sends nothing',
          does: 'daybook',
          words: ['alerts', 'test', merchantCode],
        },
      ],
      list: { heading: 'The rules', lines: rules.map(({ rule }) => rule), total: rules.length },
    });
  }
}

/** Milliseconds that are kept for the state and the mail after reading. */
const AFTER_READING = 40_000;

interface DayReadings extends Gathered {
  /** Sealed after its end: a day sealed at noon says nothing about its evening. */
  isDaySealed: boolean;
}

async function dayReadings(
  dependencies: Dependencies,
  run: Run,
  before: AlertState | undefined,
): Promise<DayReadings> {
  const { settings, day, now, rules } = run;
  const { merchantCode, timeZone } = settings;
  const isPast = day < dayAt(now, timeZone);
  const due = rules.filter((rule) => isRuleDue(rule, { day, isDaySealed: isPast, now, timeZone }));
  const needs = needsOf(due);
  // A day of the past may have been sealed whole, and with another meaning than the registry's now. One that goes on
  // was not: only amounts and refunds use what is sealed of it, because each look is a LIST.
  const newest =
    isPast || needs.needs.has('amounts') || needs.needs.has('refunds')
      ? await dependencies.snapshots.newest(merchantDay(merchantCode, day))
      : undefined;
  const isDaySealed = newest !== undefined && soFarUntil(newest, timeZone) === null;
  const { merchantId, usual } = before?.day === day ? before : {};
  const deadline = run.end - AFTER_READING;
  const request = { ...run, newest, isDaySealed, needs, merchantId, usual, deadline };
  // The code that reads the service is loaded only when the rules need it.
  const { gatherReadings } = await import('./gather-readings.ts');
  return { ...(await gatherReadings(dependencies, request)), isDaySealed };
}

export class StateContestedError extends DaybookError {
  override readonly name = 'StateContestedError';
}

/** So that a person sees why a rule is quiet. */
export interface DryRunFindings {
  rules: RuleFinding[];
  /** An earlier check's name. The next check sends it first. */
  pendingMail: string | null;
}

export interface CheckOutcome extends Pick<CheckResult, 'transitions' | 'noData'> {
  /** This check's, or the pending mail of an earlier one. */
  mail: MailAnswer | null;
  /** `null` when the check counted. */
  ignored: string | null;
  /** Whether the state was written. */
  moved: boolean;
  found?: DryRunFindings;
}

const MOST_TRIES = 5;
function isIdle({ rules }: Run, state: AlertState | undefined): boolean {
  if (rules.length > 0) return false;
  return state === undefined || (Object.keys(state.rules).length === 0 && state.owed === null);
}

/** Why the rules must not be moved: a later check moved them. `null` when they may. */
function whyIgnored({ event, settings, day, now, tick }: Run, state: AlertState | undefined): string | null {
  if (state === undefined) return null;
  if (!isTickNew(state, tick)) return 'a check of this time or a later one was counted';
  // Going back and forth between two days would end both days' firings. Only another time zone moves today back.
  const isPast = day < dayAt(now, settings.timeZone);
  if (!event.dryRun && isPast && day < state.day) return 'a later day was checked: use dryRun to look back';
  return null;
}

function notCounted(ignored: string | null, mail: MailAnswer | null): CheckOutcome {
  return { transitions: [], noData: [], mail, ignored, moved: false };
}

function pendingMail({ lines }: CheckResult, earlier: EarlierMail, run: Run): AlertState['owed'] {
  const { settings, day, tick } = run;
  if (lines.length === 0) return stillPending(earlier, tick);
  return { check: checkName(settings.merchantCode, tick, lines), day, lines };
}

/** What one check of a day looks up for all. */
function lookedUp({ merchantId, usual }: DayReadings, { day }: Run, before: AlertState | undefined) {
  const known = before?.day === day ? before : undefined;
  const [id, ofDay] = [merchantId ?? known?.merchantId, usual ?? known?.usual];
  return { ...(id !== undefined && { merchantId: id }), ...(ofDay !== undefined && { usual: ofDay }) };
}

async function sendPending(
  dependencies: Dependencies,
  run: Run,
  { result, state, earlier }: { result: CheckResult; state: AlertState; earlier: EarlierMail },
): Promise<MailAnswer | null> {
  const { settings, end } = run;
  if (result.lines.length > 0 && state.owed !== null) {
    return mailCheck(dependencies, { settings, pending: state.owed, deadline: end - AFTER_MAIL });
  }
  if (earlier.refused !== null && state.owed !== null) throw earlier.refused.error;
  return earlier.answer;
}

/**
 * Sends an earlier check's pending mail, moves the rules with one conditional write, if any moved, then mails; all of
 * it again, but the readings, when another check wrote in between.
 * @throws {StateContestedError} when that happened five times
 * @throws {MailRefusedError} when a mail was not accepted; later checks try again
 * @throws {MailUnfinishedError} when time ran out; the next check continues
 * @throws {OpsNotToldError} when a mail is given up and ops could not be notified; later checks try both again
 */
export async function checkMerchant(dependencies: Dependencies, run: Run): Promise<CheckOutcome> {
  const { alertStates, opsNotices, environment, clock } = dependencies;
  const { event, rules, settings, day, tick, end } = run;
  const { merchantCode, timeZone, currency } = settings;
  let gathered: DayReadings | undefined;
  let earlier = NO_EARLIER_MAIL;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const standing = await alertStates.read(merchantCode);
    const before = standing && withoutFutureTimes(standing.state, clock.now());
    if (isIdle(run, before)) {
      const nothing = notCounted(null, null);
      return event.dryRun ? { ...nothing, found: { rules: [], pendingMail: null } } : nothing;
    }
    const pending = before?.owed ?? null;
    if (!event.dryRun) {
      const request = { settings, pending, deadline: end - AFTER_MAIL };
      earlier = laterOf(earlier, await sendPendingMail(dependencies, request));
    }
    const ignored = whyIgnored(run, before);
    if (ignored !== null) {
      if (earlier.refused !== null) throw earlier.refused.error;
      return notCounted(ignored, earlier.answer);
    }
    gathered ??= await dayReadings(dependencies, run, before);
    const result = checkRules({ rules, state: before, ...gathered, day, tick, timeZone, currency });
    const { transitions, noData } = result;
    if (event.dryRun) {
      const found = { rules: result.findings, pendingMail: pending?.check ?? null };
      return { transitions, noData, mail: null, ignored: null, moved: false, found };
    }
    const owed = pendingMail(result, earlier, run);
    const state = { ...result.state, ...lookedUp(gathered, run, before), owed };
    // Before the write, which drops the given-up mail: a check that dies after it would not notify ops again.
    if (state.owed?.check !== pending?.check) await notifyOfGivenUp(opsNotices, merchantCode, earlier);
    await notifyOfNoData(
      opsNotices,
      merchantCode,
      { noData, tick, day },
      environment.deadlines.noDataMinutes,
    );
    const moved = hasMoved(standing?.state, state);
    if (moved && !(await alertStates.write(merchantCode, state, standing?.version))) continue;
    const mail = await sendPending(dependencies, run, { result, state, earlier });
    return { transitions, noData, mail, ignored, moved };
  }
  throw new StateContestedError(
    `merchant ${merchantCode}: other checks wrote the state during each of ${MOST_TRIES} tries`,
  );
}
