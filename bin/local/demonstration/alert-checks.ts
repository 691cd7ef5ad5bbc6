import { alertStateSchema } from '#alerts/rules/alert-state.ts';
import type { AlertState } from '#alerts/rules/alert-state.ts';
import { localTime } from '#records/day/business-day.ts';
import { alertLedgerKey, alertStateKey } from '#records/storage/keys.ts';
import { BUCKET } from '../configuration.ts';
import { counted } from '../../daybook/terminal/words.ts';
import { checkAnswerSchema } from '../functions/function-answers.ts';
import type { CheckAnswer } from '../functions/function-answers.ts';
import { instantAt } from './stage.ts';
import type { Stage } from './stage.ts';
import { RULE, WATCHED, letInvoicesBePaid, letInvoicesCome } from './watched-merchant.ts';

/** The result of a check of the rule. */
export interface AlertCheck {
  /** `YYYY-MM-DD HH:MM` on the merchant's clock. */
  at: string;
  /** The number of unpaid invoices; `undefined` when the check did not look or could not know. */
  value: string | undefined;
  /** The rule's state, or its old and new state when it changed. */
  state: string;
  /** Why the check did not count; `null` when it counted. */
  ignored: string | null;
  /** What the mail of the check says and its state in the ledger; `undefined` when the check sent none. */
  mail: { says: string; ledgerKey: string } | undefined;
}

const { merchantCode, name } = WATCHED.account;

async function stateOf({ sandboxes }: Stage): Promise<AlertState> {
  const key = alertStateKey(merchantCode);
  const text = await sandboxes.aws.s3.read(BUCKET, key);
  if (text === undefined) throw new Error(`alert-check wrote no ${key}`);
  return alertStateSchema.parse(JSON.parse(text.toString('utf8')));
}

function whereIs({ ignored, transitions }: CheckAnswer, { rules }: AlertState): string {
  if (ignored !== null) return 'ignored';
  const move = transitions.findLast(({ rule }) => rule === RULE.name);
  if (move !== undefined) return `${move.from} → ${move.to}`;
  return rules[RULE.name]?.place ?? 'ok';
}

function valueOf({ ignored }: CheckAnswer, { rules }: AlertState): string | undefined {
  const { value = null, noDataSince = null } = rules[RULE.name] ?? {};
  return ignored !== null || noDataSince !== null ? undefined : value?.replace(/\.000$/, '');
}

function mailOf({ mailed }: CheckAnswer, { owed }: AlertState): AlertCheck['mail'] {
  const line = owed?.lines.find(({ rule }) => rule === RULE.name);
  if (!mailed || owed === null || line === undefined) return undefined;
  return { says: line.says, ledgerKey: alertLedgerKey(merchantCode, owed.check) };
}

function sentence({ at, value, state, ignored, mail }: AlertCheck): string {
  const time = `check at ${at.slice(-5)}`;
  // An ignored check still sends the mail that an earlier check left open.
  if (ignored !== null) return `${time}: ${mail === undefined ? '' : 'mailed; '}${ignored}`;
  const figure = value === undefined ? 'no data' : `${value} unpaid`;
  return `${time}: ${figure}, ${state}, ${mail === undefined ? 'no mail' : 'mailed'}`;
}

async function check(stage: Stage, now: string): Promise<AlertCheck> {
  const answer = checkAnswerSchema.parse(await stage.functions.invoke('alert-check', { merchantCode, now }));
  const left = await stateOf(stage);
  const checked = {
    at: localTime(now, WATCHED.timeZone),
    value: valueOf(answer, left),
    state: whereIs(answer, left),
    ignored: answer.ignored,
    mail: mailOf(answer, left),
  };
  stage.terminal.step(merchantCode, sentence(checked));
  return checked;
}

/**
 * Makes three checks on the evening of the day. The time is passed in. At the first two, too many invoices are unpaid; before
 * the third they are paid. If an earlier run already made checks of the same evening, the new checks do not count.
 *
 * @throws {FunctionFailure} when `alert-check` fails
 */
export async function checkThreeTimes(stage: Stage, day: string): Promise<AlertCheck[]> {
  const { terminal, sandboxes } = stage;
  const { data } = sandboxes.payments;
  const at = (time: string) => instantAt(day, time, WATCHED.timeZone);
  const bounds = `above ${RULE.above}, clear at ${RULE.clearAt}`;
  terminal.step('alerts', `a rule of ${merchantCode}, ${name}: ${RULE.measure} ${bounds}`);
  const come = letInvoicesCome(data, day);
  const more = come === 0 ? 'as it was' : `${come} more unpaid invoices`;
  terminal.step('service', `the evening of ${day} at ${merchantCode}: ${more}`);
  const first = await check(stage, at('20:00'));
  const second = await check(stage, at('20:15'));
  const paid = letInvoicesBePaid(data, day);
  if (paid > 0) terminal.step('service', `${counted(paid, 'invoice')} of ${merchantCode} paid`);
  const checks = [first, second, await check(stage, at('20:30'))];
  if (checks.every(({ ignored }) => ignored !== null)) {
    terminal.step(
      '',
      terminal.style('yellow', 'an earlier run already made these checks; --fresh starts again from nothing'),
    );
  }
  return checks;
}
