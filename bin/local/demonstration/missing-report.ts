import { localTime } from '#domain/day/business-day.ts';
import { runTick } from '../daily-round.ts';
import { faultWords, switchOn } from '../faults.ts';
import type { NamedFault } from '../faults.ts';
import { watchAnswerSchema } from '../functions/function-answers.ts';
import type { WatchAnswer } from '../functions/function-answers.ts';
import type { MerchantDay } from '../merchants.ts';
import { deadlineOf } from './clock.ts';
import type { Stage } from './stage.ts';
import { WATCHED } from './watched-merchant.ts';

/** What the watch found. */
export interface Watch extends WatchAnswer {
  /** `YYYY-MM-DD HH:MM` on the clock of the demonstration's merchant. */
  at: string;
}

const { merchantCode } = WATCHED.account;

/** Lets the merchant's service be down, from now on, and its report be due. */
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
      const came = 'failure' in outcome ? outcome.failure.replace(/:.*/s, '') : 'it came all the same';
      terminal.step(merchantCode, `no report of ${day}: ${came}`);
    },
  );
}

/** Over which ways ops were told since there were so many mails and notices. */
function waysTold({ mail, notices }: Stage['sandboxes']['aws'], mailsBefore: number, noticesBefore: number) {
  return [
    ...(mail.messages.length > mailsBefore ? ['mail'] : []),
    ...(notices.messages.length > noticesBefore ? ['topic'] : []),
  ].join(' and ');
}

/**
 * A morning on which one merchant's service is down, and the watch on it once all reports are overdue, on a clock that
 * is passed in.
 *
 * @param own the day that the merchant of the demonstration is to be reported of
 * @param others those whose reports were made
 * @param now milliseconds UTC; what the tick is known by
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
  const ops = told === '' ? 'ops told before' : `ops told by ${told}`;
  const arrived = `${delivered} of ${expected} reports arrived`;
  terminal.step('watch', `at ${at.slice(-5)}: ${arrived}${missing.length === 0 ? '' : `, ${ops}`}`);
  return { ...answer, at };
}
