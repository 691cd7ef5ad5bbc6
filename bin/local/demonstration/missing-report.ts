import { localTime, addDays } from '#records/day/business-day.ts';
import { runTick } from '../daily-round.ts';
import { faultWords, switchOn } from '../faults.ts';
import type { NamedFault } from '../faults.ts';
import { watchAnswerSchema } from '../functions/function-answers.ts';
import type { WatchAnswer } from '../functions/function-answers.ts';
import type { MerchantDay } from '../merchants.ts';
import { instantAt } from './stage.ts';
import type { Stage } from './stage.ts';
import { WATCHED } from './watched-merchant.ts';

/** A report is missing after this time: `reportAt` plus `DEADLINES_DELIVERY_MINUTES`, both with their default values. */
const DEADLINE = '07:00';

/** The moment after which a report is missing if it has not arrived. @returns ISO 8601, UTC */
function deadlineOf(days: readonly MerchantDay[]): string {
  const deadlines = days.map(({ day, merchant }) => instantAt(addDays(day, 1), DEADLINE, merchant.timeZone));
  return deadlines.reduce((one, other) => (one > other ? one : other));
}

/** The result of the watch. */
export interface Watch extends WatchAnswer {
  /** `YYYY-MM-DD HH:MM` in the time zone of the demonstration's merchant. */
  at: string;
}

const { merchantCode } = WATCHED.account;

/** Makes the merchant's service fail from now on, when its report is due. */
async function failToReport({ terminal, sandboxes, functions }: Stage, day: string, now: number) {
  const fault: NamedFault = { name: 'down', merchantCode };
  switchOn([fault], sandboxes.payments.behaviour);
  terminal.step('fault', terminal.style('yellow', faultWords(fault)));
  const tick = { scheduledTime: new Date(now).toISOString(), day, merchants: [merchantCode] };
  await runTick(
    functions,
    sandboxes.aws.mail,
    tick,
    () => undefined,
    (outcome) => {
      const came = 'failure' in outcome ? outcome.failure.replace(/:.*/s, '') : 'it arrived anyway';
      terminal.step(merchantCode, `no report for ${day}: ${came}`);
    },
  );
}

/** The channels by which ops were notified since these counts of mails and notices. */
function waysTold({ mail, notices }: Stage['sandboxes']['aws'], mailsBefore: number, noticesBefore: number) {
  return [
    ...(mail.messages.length > mailsBefore ? ['mail'] : []),
    ...(notices.messages.length > noticesBefore ? ['topic'] : []),
  ].join(' and ');
}

/**
 * One merchant's service is down in the morning. Then the watch runs after the deadline of all reports. The time is passed
 * in.
 *
 * @param own the day to report for the merchant of the demonstration
 * @param others the merchants and days of the run
 * @param now milliseconds UTC; it identifies the tick
 * @throws {FunctionFailure} when `delivery-watch` or `plan` fails
 */
export async function missReport(
  stage: Stage,
  own: MerchantDay,
  others: readonly MerchantDay[],
  now: number,
): Promise<Watch> {
  const { terminal, sandboxes, functions } = stage;
  const { mail, notices } = sandboxes.aws;
  await failToReport(stage, own.day, now);
  const deadline = deadlineOf([own, ...others]);
  const before = [mail.messages.length, notices.messages.length] as const;
  const answer = watchAnswerSchema.parse(await functions.invoke('delivery-watch', { now: deadline }));
  const at = localTime(deadline, WATCHED.timeZone);
  const { expected, delivered, missing } = answer;
  const told = waysTold(sandboxes.aws, ...before);
  const ops = told === '' ? 'ops were notified before' : `ops notified by ${told}`;
  const arrived = `${delivered} of ${expected} reports arrived`;
  terminal.step('watch', `at ${at.slice(-5)}: ${arrived}${missing.length === 0 ? '' : `, ${ops}`}`);
  return { ...answer, at };
}
