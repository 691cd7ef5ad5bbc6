import * as z from 'zod';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { instantOf, localTime, addDays, dayAt } from '#records/day/business-day.ts';
import { alertStateKey } from '#records/storage/keys.ts';
import { readMailTags } from '#mail/mail-events/mail-tags.ts';
import { BUCKET, EVERYBODY } from './configuration.ts';
import { counted } from '../daybook/terminal/shown-text.ts';
import { groupAnswerSchema, merchantAnswerSchema } from '../daybook/stage/function-answers.ts';
import type { StatementAnswer } from '../daybook/stage/function-answers.ts';
import { mailKind, runTick } from './daily-round.ts';
import type { Services } from './services.ts';
import type { Terminal } from './terminal/terminal.ts';
import type { PaymentsData } from '#sandbox/payments/index.ts';
import type { MerchantDay } from './merchants.ts';
import { daysOf, monthOf, periodBefore, periodDays } from '#records/period/period.ts';
import { FunctionFailure } from './functions/function-environments.ts';
import { RULE, WATCHED, provideDay } from './merchants.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import type { SentMail } from '#sandbox/aws/index.ts';

/** The sandboxes and functions that made the reports. */
interface Stage extends Pick<Services, 'functions' | 'sandboxes'> {
  terminal: Terminal;
}

const { merchantCode, name: watchedName } = WATCHED.account;

async function stateOf({ sandboxes }: Stage): Promise<AlertState> {
  const key = alertStateKey(merchantCode);
  const text = await sandboxes.aws.s3.read(BUCKET, key);
  if (text === undefined) throw new Error(`alert-check wrote no ${key}`);
  return alertStateSchema.parse(JSON.parse(text.toString('utf8')));
}

/** The part of `alert-check`'s answer that is shown (docs/interfaces.md, 4.3 alert-check). */
const checkAnswerSchema = z.object({
  transitions: z.array(z.object({ rule: z.string(), from: z.string(), to: z.string() })),
  mailed: z.boolean(),
  ignored: z.string().nullable(),
});
type CheckAnswer = z.infer<typeof checkAnswerSchema>;

/** The part of `delivery-watch`'s answer that is shown (docs/interfaces.md, 4.4 delivery-watch). */
const watchAnswerSchema = z.object({
  expected: z.int(),
  delivered: z.int(),
  missing: z.array(z.object({ merchantCode: z.string(), reason: z.string() })),
});

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

async function check(stage: Stage, day: string, time: string): Promise<boolean> {
  const now = new Date(instantOf(day, time, WATCHED.timeZone)).toISOString();
  const answer = checkAnswerSchema.parse(await stage.functions.invoke('alert-check', { merchantCode, now }));
  const at = localTime(now, WATCHED.timeZone).slice(-5);
  stage.terminal.step(merchantCode, `check at ${at}: ${sentence(answer, await stateOf(stage))}`);
  return answer.ignored === null;
}

/** Invoices of the day before the evening (about one in five is unpaid), and unpaid invoices that arrive in the evening. */
const EVENING = { before: 24, incoming: 12 } as const;
/** Each change pays about a third of the unpaid invoices. */
const MOST_PAYMENTS = 50;

function unpaid(data: PaymentsData, day: string): number {
  return data.truth(merchantCode, day).invoices.byStatus['0']?.count ?? 0;
}

/** Adds unpaid invoices until the rule fires, unless they exist already. @returns how many were added */
function letInvoicesCome(data: PaymentsData, day: string): number {
  if (data.truth(merchantCode, day).invoices.count === 0) {
    data.seedDay(merchantCode, day, { invoices: EVENING.before, refunds: 0 });
  }
  const missing = EVENING.before + EVENING.incoming - data.truth(merchantCode, day).invoices.count;
  for (let come = 0; come < missing; come += 1) data.insertInvoice(merchantCode, day);
  return Math.max(0, missing);
}

/** Pays invoices until the rule resolves. @returns how many were paid */
function letInvoicesBePaid(data: PaymentsData, day: string): number {
  const before = unpaid(data, day);
  for (let time = 1; time <= MOST_PAYMENTS && unpaid(data, day) > RULE.clearAt; time += 1) {
    data.evolve(merchantCode, day, time);
  }
  return before - unpaid(data, day);
}

/** At the first two checks too many invoices are unpaid, and before the third they are paid. An earlier run may have made them. */
async function checkThreeTimes(stage: Stage, day: string): Promise<void> {
  const { terminal, sandboxes } = stage;
  const { data } = sandboxes.payments;
  const bounds = `above ${RULE.above}, clear at ${RULE.clearAt}`;
  terminal.step('alerts', `a rule of ${merchantCode}, ${watchedName}: ${RULE.measure} ${bounds}`);
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

/** A report is missing after this time: `reportAt` plus `DEADLINES_DELIVERY_MINUTES`, both with their default values. */
const DEADLINE = '07:00';

function deadlineOf(days: readonly MerchantDay[]): string {
  const deadlines = days.map(({ day, merchant }) => instantOf(addDays(day, 1), DEADLINE, merchant.timeZone));
  return new Date(Math.max(...deadlines)).toISOString();
}

/** After a large run, a small run has many missing reports. */
const MOST_MISSING = 10;

async function failToReport({ terminal, sandboxes, functions }: Stage, day: string, now: number) {
  // The service asks for a longer wait than the client accepts, so the client gives up at once.
  sandboxes.payments.behaviour.faults.add({
    merchantCode,
    times: Infinity,
    action: { kind: 'status', status: 503, retryAfter: 3_600 },
  });
  terminal.step('fault', terminal.style('yellow', `the service is down for ${merchantCode}`));
  const tick = { scheduledTime: new Date(now).toISOString(), day, merchants: [merchantCode] };
  for (const outcome of await runTick(functions, sandboxes.aws.mail, tick)) {
    const came = 'failure' in outcome ? outcome.failure.replace(/:.*/s, '') : 'it arrived anyway';
    terminal.step(merchantCode, `no report for ${day}: ${came}`);
  }
}

/** One merchant's service is down in the morning. Then the watch runs after the deadline of all reports. */
async function missReport(
  stage: Stage,
  own: MerchantDay,
  others: readonly MerchantDay[],
  now: number,
): Promise<void> {
  const { terminal, sandboxes, functions } = stage;
  const { mail, notices } = sandboxes.aws;
  await failToReport(stage, own.day, now);
  const deadline = deadlineOf([own, ...others]);
  const [mailsBefore, noticesBefore] = [mail.messages.length, notices.messages.length];
  const answer = watchAnswerSchema.parse(await functions.invoke('delivery-watch', { now: deadline }));
  const at = localTime(deadline, WATCHED.timeZone);
  const { expected, delivered, missing } = answer;
  const told = [
    ...(mail.messages.length > mailsBefore ? ['mail'] : []),
    ...(notices.messages.length > noticesBefore ? ['topic'] : []),
  ].join(' and ');
  const ops = told === '' ? 'ops were notified before' : `ops notified by ${told}`;
  const arrived = `${delivered} of ${expected} reports arrived`;
  terminal.step('watch', `at ${at.slice(-5)}: ${arrived}${missing.length === 0 ? '' : `, ${ops}`}`);
  for (const { merchantCode: code, reason } of missing.slice(0, MOST_MISSING)) {
    terminal.step('watch', `${code} is missing: ${reason}`);
  }
  const more = missing.length - MOST_MISSING;
  if (more > 0) terminal.step('watch', `and ${more} more`);
}

/** A small shop's day: a month of them is made in seconds. */
const SIZE = { invoices: 12, refunds: 1 };

function mailWords({ unchanged, mail }: StatementAnswer, kind: string): string {
  if (mail.status === 'sent') return `${kind} mailed`;
  return unchanged ? 'unchanged, no mail' : `mail ${mail.status}`;
}

async function sealDays({ functions }: Stage, merchantCode: string, days: readonly string[]): Promise<void> {
  await Promise.all(days.map((day) => functions.invoke('daily-report', { merchantCode, day, send: false })));
}

/** Makes the statement of the month before the day, twice: first without one of its days, then with all of them. */
async function stateMonth(stage: Stage, { merchant, day }: MerchantDay): Promise<void> {
  const { terminal, sandboxes } = stage;
  const { merchantCode, name } = merchant.account;
  const period = periodBefore(monthOf(day));
  const days = daysOf(periodDays(period, 'sunday'));
  for (const one of days) provideDay(sandboxes.payments.data, { merchant, day: one }, SIZE);
  terminal.step('service', `${period} at ${merchantCode}, ${name}: ${counted(days.length, 'day')}`);
  const state = async () => {
    const made = await stage.functions.invoke('statement', { merchantCode, period });
    const answer = merchantAnswerSchema.parse(made);
    const { missing, final, revision } = answer;
    const found = `${days.length - missing.length} of ${days.length} days`;
    const standing = final ? 'final' : 'provisional';
    const words = mailWords(answer, mailKind(sandboxes.aws.mail, answer) ?? 'statement');
    terminal.step(merchantCode, `${period}: ${found}, ${standing}, revision ${String(revision)}, ${words}`);
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

async function pageOfEverybody(stage: Stage, day: string, now: number): Promise<void> {
  if (day >= dayAt(now, EVERYBODY.timeZone)) return;
  const tell = (text: string) => stage.terminal.step('group', `${EVERYBODY.name} on ${day}: ${text}`);
  try {
    const made = await stage.functions.invoke('statement', { group: EVERYBODY.name, period: day });
    const answer = groupAnswerSchema.parse(made);
    const { merchants, missing } = answer;
    const found = `${counted(merchants.length, 'merchant')}, ${missing.length} missing`;
    tell(`${found}, ${mailWords(answer, 'page')}`);
  } catch (error) {
    if (!(error instanceof FunctionFailure && error.name === 'NothingSealedError')) throw error;
    tell('no page, because no merchant has one');
  }
}

/** What `mail-events` reads of SES's event for a delivered mail. */
function deliveryEvent({ tags, at, source, messageId, destinations: destination }: SentMail) {
  const time = new Date().toISOString();
  const lists = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]]));
  const mail = { timestamp: at.toISOString(), source, messageId, destination, tags: lists };
  const detail = { eventType: 'Delivery', mail, delivery: { timestamp: time } };
  return { 'detail-type': 'Email Delivered', source: 'aws.ses', time, detail };
}

/** The key of a mail's ledger; `undefined` for a notice to ops, which has none. */
function ledgerKeyOf(mail: SentMail): string | undefined {
  const event = deliveryEvent(mail);
  return readMailTags(event.detail.mail.tags, event)?.ledgerKey;
}

async function ledgerStatus({ sandboxes }: Stage, key: string): Promise<string> {
  const text = await sandboxes.aws.s3.read(BUCKET, key);
  return text === undefined ? 'no ledger' : ledgerSchema.parse(JSON.parse(text.toString('utf8'))).status;
}

/** Calls `mail-events` with an event "delivered" for each mail that SES accepted in this run. */
async function passOnDeliveries(stage: Stage): Promise<void> {
  const { terminal, sandboxes, functions } = stage;
  const { messages } = sandboxes.aws.mail;
  await Promise.all(
    messages.map(async (mail) => {
      // SES sends no event for a mail without a configuration set.
      if (mail.configurationSetName === undefined) return;
      await functions.invoke('mail-events', deliveryEvent(mail));
    }),
  );
  if (messages.length === 0) return;
  const keys = messages.flatMap((mail) => ledgerKeyOf(mail) ?? []);
  const statuses = await Promise.all(keys.map((key) => ledgerStatus(stage, key)));
  const settled = statuses.filter((status) => status === 'delivered').length;
  const ledgers = `${settled} of ${counted(keys.length, 'ledger')} say so`;
  const without = keys.length < messages.length ? ' (notices to ops have none)' : '';
  terminal.step('ses', `${counted(messages.length, 'mail')} delivered; ${ledgers}${without}`);
}

/**
 * Shows what happens beside the reports, in steps: an alert that fires, stays quiet and resolves; a missing report; a statement
 * of a month and a group's page; and the events that record the delivery of the mails.
 *
 * @param own the day to report for the merchant of the demonstration
 * @param now milliseconds UTC; it identifies the tick
 * @throws {FunctionFailure} when a function fails
 */
export async function demonstrate(
  stage: Stage,
  own: MerchantDay,
  { days, reported }: { days: readonly MerchantDay[]; reported: readonly string[] },
  now: number,
): Promise<void> {
  await checkThreeTimes(stage, own.day);
  await missReport(stage, own, days, now);
  // A merchant whose service is down has no month to tell of.
  const shown = days.find(({ merchant }) => reported.includes(merchant.account.merchantCode));
  if (shown === undefined) stage.terminal.step('statement', 'none, because this run made no report');
  else await stateMonth(stage, shown);
  await pageOfEverybody(stage, own.day, now);
  await passOnDeliveries(stage);
}
