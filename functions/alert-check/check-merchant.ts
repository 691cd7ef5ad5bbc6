import type { AlertState } from '#domain/alerts/alert-state.ts';
import { checkRules, isTickNew } from '#domain/alerts/check-rules.ts';
import { withoutFutureTimes } from '#domain/alerts/future-times.ts';
import type { CheckResult } from '#domain/alerts/check-rules.ts';
import type { RuleFinding } from '#domain/alerts/rule-finding.ts';
import { dayAt } from '#domain/day/business-day.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { Run } from './alert-check-run.ts';
import { checkName } from './check-name.ts';
import { dayReadings } from './day-readings.ts';
import type { DayReadings } from './day-readings.ts';
import type { Dependencies } from './dependencies.ts';
import { mailCheck } from './mail-check.ts';
import { laterOf, NO_EARLIER_MAIL, sendPendingMail, stillPending, notifyOfGivenUp } from './pending-mail.ts';
import type { EarlierMail } from './pending-mail.ts';
import { notifyOfNoData } from './notify-of-no-data.ts';

/** Other checks of the merchant wrote the state at every attempt of this one. */
export class StateContestedError extends DaybookError {
  override readonly name = 'StateContestedError';
}

/** What a dry run adds to the answer: what it found, so that a person sees why a rule is quiet. */
export interface DryRunFindings {
  /** In the order of the registry. */
  rules: RuleFinding[];
  /** The name of an earlier check whose mail is still to be sent. The next check sends it first. */
  pendingMail: string | null;
}

/** The result of a check. */
export interface CheckOutcome extends Pick<CheckResult, 'transitions' | 'noData'> {
  /** What became of the mail: this check's, or the pending mail of an earlier check. */
  mail: MailAnswer | null;
  /** Why the check did not count, `null` when it did. */
  ignored: string | null;
  /** Of a dry run that counted. */
  found?: DryRunFindings;
}

const MOST_TRIES = 5;
/** Milliseconds that are kept for the answer after the last mail. */
export const AFTER_MAIL = 5_000;

function isIdle({ rules }: Run, state: AlertState | undefined): boolean {
  if (rules.length > 0) return false;
  return state === undefined || (Object.keys(state.rules).length === 0 && state.owed === null);
}

/** Why a check must not move the rules: they were moved by a later check. `null` when it may. */
function whyIgnored({ event, settings, day, now, tick }: Run, state: AlertState | undefined): string | null {
  if (state === undefined) return null;
  if (!isTickNew(state, tick)) return 'a check of this time or a later one was counted';
  // Going back and forth between two days would end the firings of both days. Only a change of the time zone
  // moves today back.
  const isPast = day < dayAt(now, settings.timeZone);
  if (!event.dryRun && isPast && day < state.day) return 'a later day was checked: use dryRun to look back';
  return null;
}

function notCounted(ignored: string | null, mail: MailAnswer | null): CheckOutcome {
  return { transitions: [], noData: [], mail, ignored };
}

/** The state to write: the result of the check, and its pending mail. */
function withPendingMail({ state, lines }: CheckResult, earlier: EarlierMail, run: Run): AlertState {
  const { settings, day, tick } = run;
  if (lines.length === 0) return { ...state, owed: stillPending(earlier, tick) };
  return { ...state, owed: { check: checkName(settings.merchantCode, tick, lines), day, lines } };
}

/** Sends the pending mail of the state that was just written. */
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
 * Checks the rules of a merchant once. It first sends the pending mail of an earlier check, then moves the
 * rules with one conditional write, then mails. When another check wrote in between, all steps are repeated
 * except the readings.
 *
 * @throws {StateContestedError} when that happened five times
 * @throws {MailRefusedError} when the mail service did not accept a mail; later checks try again
 * @throws {MailUnfinishedError} when time ran out; the next check continues
 * @throws {OpsNotToldError} when a mail is given up and ops could not be notified; later checks try both
 * again
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
    gathered ??= await dayReadings(dependencies, run);
    const result = checkRules({ rules, state: before, ...gathered, day, tick, timeZone, currency });
    const { transitions, noData } = result;
    if (event.dryRun) {
      const found = { rules: result.findings, pendingMail: pending?.check ?? null };
      return { transitions, noData, mail: null, ignored: null, found };
    }
    const state = withPendingMail(result, earlier, run);
    // Both notices come before the write. The write drops the given-up mail, and a check that dies after the
    // write would not notify ops of missing data again.
    if (state.owed?.check !== pending?.check) await notifyOfGivenUp(opsNotices, merchantCode, earlier);
    await notifyOfNoData(opsNotices, merchantCode, { noData, tick, day }, environment.NO_DATA_AFTER_MINUTES);
    if (!(await alertStates.write(merchantCode, state, standing?.version))) continue;
    return {
      transitions,
      noData,
      mail: await sendPending(dependencies, run, { result, state, earlier }),
      ignored,
    };
  }
  throw new StateContestedError(
    `merchant ${merchantCode}: other checks wrote the state during each of ${MOST_TRIES} tries`,
  );
}
