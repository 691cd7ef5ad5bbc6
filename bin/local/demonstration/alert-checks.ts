import { alertStateSchema } from '#alerts/rules/alert-state.ts';
import type { AlertState } from '#alerts/rules/alert-state.ts';
import { instantOf, localTime } from '#records/day/business-day.ts';
import { alertStateKey } from '#records/storage/keys.ts';
import { BUCKET } from '../configuration.ts';
import { counted } from '../../daybook/terminal/shown-text.ts';
import { checkAnswerSchema } from '../functions/function-answers.ts';
import type { CheckAnswer } from '../functions/function-answers.ts';
import type { Stage } from '../services.ts';
import { RULE, WATCHED, letInvoicesBePaid, letInvoicesCome } from './watched-merchant.ts';

const { merchantCode, name } = WATCHED.account;

async function stateOf({ sandboxes }: Stage): Promise<AlertState> {
  const key = alertStateKey(merchantCode);
  const text = await sandboxes.aws.s3.read(BUCKET, key);
  if (text === undefined) throw new Error(`alert-check wrote no ${key}`);
  return alertStateSchema.parse(JSON.parse(text.toString('utf8')));
}

/** What a check read, what became of the rule, and whether a mail went out. */
function sentence({ ignored, transitions, mailed }: CheckAnswer, { rules }: AlertState): string {
  // An ignored check still sends the mail that an earlier check left open.
  if (ignored !== null) return `${mailed ? 'mailed; ' : ''}${ignored}`;
  const { value = null, noDataSince = null, place = 'ok' } = rules[RULE.name] ?? {};
  const figure = value === null || noDataSince !== null ? 'no data' : `${value.replace(/\.000$/, '')} unpaid`;
  const move = transitions.findLast(({ rule }) => rule === RULE.name);
  const state = move === undefined ? place : `${move.from} → ${move.to}`;
  return `${figure}, ${state}, ${mailed ? 'mailed' : 'no mail'}`;
}

/** @returns whether the check counts */
async function check(stage: Stage, day: string, time: string): Promise<boolean> {
  const now = new Date(instantOf(day, time, WATCHED.timeZone)).toISOString();
  const answer = checkAnswerSchema.parse(await stage.functions.invoke('alert-check', { merchantCode, now }));
  const at = localTime(now, WATCHED.timeZone).slice(-5);
  stage.terminal.step(merchantCode, `check at ${at}: ${sentence(answer, await stateOf(stage))}`);
  return answer.ignored === null;
}

/**
 * Makes three checks on the evening of the day. The time is passed in. At the first two, too many invoices are unpaid; before
 * the third they are paid. If an earlier run already made checks of the same evening, the new checks do not count.
 *
 * @throws {FunctionFailure} when `alert-check` fails
 */
export async function checkThreeTimes(stage: Stage, day: string): Promise<void> {
  const { terminal, sandboxes } = stage;
  const { data } = sandboxes.payments;
  const bounds = `above ${RULE.above}, clear at ${RULE.clearAt}`;
  terminal.step('alerts', `a rule of ${merchantCode}, ${name}: ${RULE.measure} ${bounds}`);
  const come = letInvoicesCome(data, day);
  const more = come === 0 ? 'as it was' : `${come} more unpaid invoices`;
  terminal.step('service', `the evening of ${day} at ${merchantCode}: ${more}`);
  const first = await check(stage, day, '20:00');
  const second = await check(stage, day, '20:15');
  const paid = letInvoicesBePaid(data, day);
  if (paid > 0) terminal.step('service', `${counted(paid, 'invoice')} of ${merchantCode} paid`);
  const third = await check(stage, day, '20:30');
  if (first || second || third) return;
  const words = 'an earlier run already made these checks; --fresh starts again from nothing';
  terminal.step('', terminal.style('yellow', words));
}
