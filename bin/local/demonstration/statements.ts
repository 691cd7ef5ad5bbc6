import { daysOf, monthOf, periodBefore, periodDays } from '#records/period/period.ts';
import { dayAt } from '#records/day/business-day.ts';
import { counted } from '../../daybook/terminal/shown-text.ts';
import { EVERYBODY } from '../configuration.ts';
import { groupAnswerSchema, statementAnswerSchema } from '../functions/function-answers.ts';
import type { GroupAnswer, StatementAnswer } from '../functions/function-answers.ts';
import { FunctionFailure } from '../functions/function-environments.ts';
import type { MerchantDay } from '../merchants.ts';
import { provideDay } from '../merchants.ts';
import type { Stage } from '../services.ts';

/** A small shop's day: a month of them is made in seconds. */
const SIZE = { invoices: 12, refunds: 1 };

function mailWords({ unchanged, mail }: StatementAnswer | GroupAnswer, kind: string): string {
  if (mail.status === 'sent') return `${kind} mailed`;
  return unchanged ? 'unchanged, no mail' : `mail ${mail.status}`;
}

/** Seals days of the merchant without a mail, as a backfill does. */
async function sealDays({ functions }: Stage, merchantCode: string, days: readonly string[]): Promise<void> {
  await Promise.all(days.map((day) => functions.invoke('daily-report', { merchantCode, day, send: false })));
}

/**
 * Makes the statement of the month before the day, twice: first without one of its days, then with all of them.
 *
 * @throws {FunctionFailure} when a function fails
 */
async function stateMonth(stage: Stage, { merchant, day }: MerchantDay): Promise<void> {
  const { terminal, sandboxes } = stage;
  const { merchantCode, name } = merchant.account;
  const period = periodBefore(monthOf(day));
  const days = daysOf(periodDays(period, 'sunday'));
  for (const one of days) provideDay(sandboxes.payments.data, { merchant, day: one }, SIZE);
  terminal.step('service', `${period} at ${merchantCode}, ${name}: ${counted(days.length, 'day')}`);
  const state = async () => {
    const answer = statementAnswerSchema.parse(
      await stage.functions.invoke('statement', { merchantCode, period }),
    );
    const { mail, missing, final, revision } = answer;
    const sent = sandboxes.aws.mail.messages.find(({ messageId }) => mail.messageIds.includes(messageId));
    const mailKind = mail.status === 'sent' ? sent?.tags['kind'] : undefined;
    const found = `${days.length - missing.length} of ${days.length} days`;
    const standing = final ? 'final' : 'provisional';
    const words = mailWords(answer, mailKind ?? 'statement');
    terminal.step(merchantCode, `${period}: ${found}, ${standing}, revision ${revision}, ${words}`);
  };
  // One day comes late, so that the first statement is provisional.
  const late = days[Math.floor(days.length / 2)] ?? '';
  await sealDays(
    stage,
    merchantCode,
    days.filter((one) => one !== late),
  );
  await state();
  await sealDays(stage, merchantCode, [late]);
  await state();
}

/** Makes the page of all merchants for the day, if it is over and a merchant has a page. @param now milliseconds UTC */
async function pageOfEverybody(stage: Stage, day: string, now: number): Promise<void> {
  if (day >= dayAt(now, EVERYBODY.timeZone)) return;
  const tell = (text: string) => stage.terminal.step('group', `${EVERYBODY.name} on ${day}: ${text}`);
  try {
    const answer = groupAnswerSchema.parse(
      await stage.functions.invoke('statement', { group: EVERYBODY.name, period: day }),
    );
    const { merchants, missing } = answer;
    const found = `${counted(merchants.length, 'merchant')}, ${missing.length} missing`;
    tell(`${found}, ${mailWords(answer, 'page')}`);
  } catch (error) {
    if (!(error instanceof FunctionFailure && error.name === 'NothingSealedError')) throw error;
    tell('no page, because no merchant has one');
  }
}

/**
 * Shows a statement of a month, which is provisional first and then corrected, and a page of a group.
 *
 * @param shown the merchant of the statement, and a day of the month after; `undefined` when no report was made
 * @param day of the group's page
 * @param now milliseconds UTC
 * @throws {FunctionFailure} when a function fails
 */
export async function makeStatements(
  stage: Stage,
  shown: MerchantDay | undefined,
  day: string,
  now: number,
): Promise<void> {
  if (shown === undefined) stage.terminal.step('statement', 'none, because this run made no report');
  else await stateMonth(stage, shown);
  await pageOfEverybody(stage, day, now);
}
