import { addDays, instantOf, localTime } from '#records/day/business-day.ts';
import { runTick } from '../daily-round.ts';
import { faultWords, switchOn } from '../faults.ts';
import type { NamedFault } from '../faults.ts';
import { watchAnswerSchema } from '../functions/function-answers.ts';
import type { MerchantDay } from '../merchants.ts';
import type { Stage } from '../services.ts';
import { WATCHED } from './watched-merchant.ts';

/** A report is missing after this time: `reportAt` plus `DEADLINES_DELIVERY_MINUTES`, both with their default values. */
const DEADLINE = '07:00';

/** The moment after which a report is missing if it has not arrived. @returns ISO 8601, UTC */
function deadlineOf(days: readonly MerchantDay[]): string {
  const deadlines = days.map(({ day, merchant }) => instantOf(addDays(day, 1), DEADLINE, merchant.timeZone));
  return new Date(Math.max(...deadlines)).toISOString();
}

/** After a large run, a small run has many missing reports. */
const MOST_MISSING = 10;

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
): Promise<void> {
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
  for (const { merchantCode: code, reason } of missing.slice(0, MOST_MISSING)) {
    terminal.step('watch', `${code} is missing: ${reason}`);
  }
  const more = missing.length - MOST_MISSING;
  if (more > 0) terminal.step('watch', `and ${more} more`);
}
