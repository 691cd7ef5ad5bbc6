import type { Handler } from '#runtime/lambda-handler.ts';
import type { Context } from 'aws-lambda';
import { rejectionsOf, shownPath } from '#registry/problem.ts';
import type { Rejection } from '#registry/problem.ts';
import { prepareRun, readAlertCheckEvent } from './alert-check-run.ts';
import type { AlertCheckEvent, Invocation, Run } from './alert-check-run.ts';
import { checkMerchant } from './check-merchant.ts';
import type { CheckOutcome, DryRunFindings } from './check-merchant.ts';
import type { Dependencies } from './dependencies.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import type { Registry } from '#registry/registry.ts';
import { AFTER_MAIL, remainingTime } from '#runtime/clock.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import { mailCheck } from './mail-check.ts';

/**
 * Sends a mail again to recipients who do not have it, as a new round, without invoices and refunds, which
 * the ledger does not keep.
 * @throws {InvalidEventError} when there is no such mail, or its ledger does not keep what it said
 * @throws {MailRefusedError} when the mail service did not accept a mail
 * @throws {MailUnfinishedError} when time ran out
 */
async function resendAlert(
  dependencies: Dependencies,
  { event, settings, end }: Run,
  check: string,
): Promise<CheckOutcome & { day: string }> {
  if (event.dryRun) throw new InvalidEventError('dryRun', 'cannot be given together with resend');
  const ledger = (await dependencies.ledgers.read(alertLedgerKey(settings.merchantCode, check)))?.ledger;
  if (ledger === undefined) throw new InvalidEventError('resend', 'is not the name of a check with a mail');
  if (ledger.says === undefined) {
    throw new InvalidEventError(
      'resend',
      'names a mail whose ledger does not keep what it said: an earlier version wrote it, or it was too long',
    );
  }
  const pending = { check, ...ledger.says };
  const mail = await mailCheck(dependencies, { settings, pending, deadline: end - AFTER_MAIL, resend: true });
  return { transitions: [], noData: [], mail, ignored: null, moved: false, day: ledger.says.day };
}

export interface AlertCheckAnswer extends Omit<CheckOutcome, 'found' | 'moved'>, Partial<DryRunFindings> {
  merchantCode: string;
  day: string;
  /** Its own mail, or the pending one of an earlier check. */
  mailed: boolean;
  /** By path in the merchant's entry; 100 at most. */
  rejected: Rejection[];
}

const MOST_LISTED = 100;

/** `plan` notifies ops of bad rules, once for all merchants: one in `defaults` belongs to every merchant. */
function logBadRules({ telemetry }: Dependencies, { leftOut, unknown }: Run, rejected: Rejection[]): void {
  telemetry.count('RejectedRules', leftOut);
  if (rejected.length > 0) telemetry.logger.warn('rules are left out', { rejected });
  if (unknown.length > 0) {
    const paths = unknown.slice(0, MOST_LISTED).map(({ at }) => shownPath(at));
    telemetry.logger.warn('rules have members that are not known here', { count: unknown.length, paths });
  }
}

function countOutcome({ telemetry }: Dependencies, { transitions, noData, mail }: AlertCheckAnswer): void {
  telemetry.count('RulesMoved', transitions.length);
  telemetry.count('RulesWithoutData', noData.length);
  if (mail?.status === 'sent') telemetry.count('MailsSent', mail.messageIds.length);
  if (mail?.status === 'held') telemetry.count('MailsHeld', 1);
}

function logCheck(
  { telemetry }: Dependencies,
  { day, transitions, noData, ignored, mail }: AlertCheckAnswer,
) {
  telemetry.logger.info('checked', { transitions, noData, ignored, day, mail: mail?.status ?? null });
}

async function check(
  dependencies: Dependencies,
  event: AlertCheckEvent,
  invocation: Invocation,
): Promise<{ answer: AlertCheckAnswer; moved: boolean }> {
  const { telemetry, clock } = dependencies;
  const { merchantCode } = event;
  telemetry.about({ merchantCode });
  const run = await prepareRun(clock, event, invocation);
  const rejected = rejectionsOf(run.problems, null, ['alerts'], MOST_LISTED);
  telemetry.about({ day: run.day });
  logBadRules(dependencies, run, rejected);
  const outcome =
    typeof event.resend === 'string'
      ? await resendAlert(dependencies, run, event.resend)
      : { day: run.day, ...(await checkMerchant(dependencies, run)) };
  const { found, moved, ...others } = outcome;
  const answer = { merchantCode, ...others, ...found, mailed: others.mail?.status === 'sent', rejected };
  countOutcome(dependencies, answer);
  return { answer, moved };
}

/** Builds `alert-check` (docs/interfaces.md, 4.3 alert-check). */
export function createAlertCheck(dependencies: Dependencies): Handler<AlertCheckAnswer> {
  const { telemetry, registry, clock } = dependencies;
  return (input, context) =>
    telemetry.during(context, async () => {
      const event = readAlertCheckEvent(input);
      const { answer } = await check(dependencies, event, {
        registry: async () => (await registry.load()).registry,
        end: clock.now() + remainingTime(context),
        isBatch: false,
      });
      logCheck(dependencies, answer);
      return answer;
    });
}

/** Side by side. Most of a check is waiting, and five may all have the largest answers in 512 MB (docs/scale.md). */
export const CHECKS_AT_ONCE = 5;

/**
 * The checks of one invocation, within `telemetry.during`: one registry and one log line for all, and one
 * line more for each merchant where something moved or failed.
 */
export class AlertCheckBatch {
  readonly #dependencies: Dependencies;
  readonly #invocation: Invocation;
  readonly #counts = { checks: 0, moved: 0, mailed: 0, withoutData: 0, ignored: 0, failed: 0 };

  constructor(dependencies: Dependencies, context?: Context) {
    const { registry, clock } = dependencies;
    let loaded: Promise<Registry> | undefined;
    this.#dependencies = dependencies;
    this.#invocation = {
      registry: () => (loaded ??= registry.load().then((one) => one.registry)),
      end: clock.now() + remainingTime(context),
      isBatch: true,
    };
  }

  /** A failure is logged here, with its merchant. @throws as {@link checkMerchant} and {@link prepareRun} */
  check(input: unknown): Promise<AlertCheckAnswer> {
    const { telemetry } = this.#dependencies;
    return telemetry.ofRecord(async () => {
      this.#counts.checks += 1;
      try {
        const event = readAlertCheckEvent(input);
        const { answer, moved } = await check(this.#dependencies, event, this.#invocation);
        this.#count(answer, moved);
        return answer;
      } catch (error) {
        this.#counts.failed += 1;
        telemetry.logError(error);
        throw error;
      }
    });
  }

  #count(answer: AlertCheckAnswer, moved: boolean): void {
    const counts = this.#counts;
    if (moved) counts.moved += 1;
    if (answer.mailed) counts.mailed += 1;
    if (answer.noData.length > 0) counts.withoutData += 1;
    if (answer.ignored !== null) counts.ignored += 1;
    if (moved || answer.mail !== null) logCheck(this.#dependencies, answer);
  }

  /** Once, after the last check. */
  log(): void {
    this.#dependencies.telemetry.logger.info('checked a batch', this.#counts);
  }
}
