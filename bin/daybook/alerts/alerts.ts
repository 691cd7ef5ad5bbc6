import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { decisiveEntries } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { alertLedgerKey, alertLedgerPrefix } from '#records/storage/keys.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { forEach } from '../terminal/for-each.ts';
import { counted, utcMinute, shown } from '../terminal/shown-text.ts';
import { assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import * as z from 'zod';
import type { AlertCheckAnswer } from '#alerts/alert-check/create-alert-check.ts';
import type { RuleFinding } from '#alerts/rules/check-rules.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import { answerOf } from '../stage/invoke-function.ts';
import type { Output } from '../terminal/output.ts';
import type { Style } from '../terminal/table.ts';
import { mailSentence } from '../report/asked-mail.ts';
import { mailSchema } from '../stage/function-answers.ts';

interface SentAlert {
  /** The name of its check: the time of the check, and a hash of what the mail says. */
  check: string;
  /** When a check first wanted to send it (ISO 8601, UTC). `null` when its ledger cannot be read. */
  at: string | null;
  /** `null` when its ledger does not say it: an earlier version wrote it. */
  alerts: { rule: string; says: string }[] | null;
  status: Ledger['status'] | 'not readable';
  recipients: Record<string, number>;
  reason: string | null;
}

function sentAlert(check: string, ledger: Ledger): SentAlert {
  const { intendedAt: at, alerts = null, status } = ledger;
  const entries = [...decisiveEntries(ledger).values()];
  const counts = Map.groupBy(entries, (entry) => entry.status);
  const recipients = Object.fromEntries([...counts].map(([one, of]) => [one, of.length]));
  const reason = ledger.reason ?? entries.find((entry) => entry.reason !== null)?.reason ?? null;
  return { check, at, alerts, status, recipients, reason };
}

function rulesInWords(mail: SentAlert | undefined): string | undefined {
  return mail?.alerts?.map(({ rule, says }) => `${rule} ${says}`).join(', ');
}

/** The checks with a mail, the newest first. Names of checks begin with their time, so the order of the names is that of the times. */
export async function checksOf(context: CommandContext, merchantCode: string): Promise<string[]> {
  const stage = await context.stage();
  const prefix = alertLedgerPrefix(merchantCode);
  const checks: string[] = [];
  const input = { Bucket: stage.bucket, Prefix: prefix };
  for await (const { Contents: contents = [] } of paginateListObjectsV2({ client: stage.s3() }, input)) {
    for (const { Key: key = '' } of contents) {
      const check = key.slice(prefix.length, -'.json'.length);
      if (alertLedgerKey(merchantCode, check) === key) checks.push(check);
    }
  }
  return checks.sort().reverse();
}

/** The statuses of a mail that nobody has to look at. */
const WELL: ReadonlySet<SentAlert['status']> = new Set(['accepted', 'delivered', 'intended', 'skipped']);

async function readAlert(
  { s3, bucket }: Pick<Stage, 'bucket' | 's3'>,
  merchantCode: string,
  check: string,
): Promise<SentAlert | undefined> {
  try {
    const standing = await new LedgerStore(s3(), bucket).read(alertLedgerKey(merchantCode, check));
    return standing && sentAlert(check, standing.ledger);
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const { message: reason } = error;
    return { check, at: null, alerts: null, status: 'not readable', recipients: {}, reason };
  }
}

/** Such as `2 delivered, 1 held`. */
function recipientsInWords({ recipients }: SentAlert): string {
  return Object.entries(recipients)
    .map(([of, count]) => `${count} ${of}`)
    .join(', ');
}

export async function history(
  context: CommandContext,
  merchantCode: string,
  { last }: { last: number },
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const checks = await checksOf(context, merchantCode);
  // A merchant that was removed has its history.
  if (checks.length === 0)
    assertKnownMerchant(await registryInUse(output, stage), merchantCode, context.lines);
  const read = await forEach(context, 'Reading the mails', checks.slice(0, last), (check) =>
    readAlert(stage, merchantCode, check),
  );
  const mails = read.filter((mail) => mail !== undefined);
  output.result({ stage: stage.name, merchantCode, total: checks.length, mails }, () => {
    if (mails.length === 0) output.line(`No alert mail of ${merchantCode} is recorded.`);
    output.table(
      ['Time (UTC)', 'Rules', 'Status', 'Recipients', 'Reason'],
      mails.map((mail) => [
        utcMinute(mail.at),
        rulesInWords(mail) ?? 'not recorded',
        { text: mail.status, style: WELL.has(mail.status) ? 'green' : 'red' },
        recipientsInWords(mail) || '-',
        mail.reason ?? '-',
      ]),
    );
    const more = checks.length - mails.length;
    if (more > 0) output.note(`and ${more.toLocaleString('en')} older ones: --last ${checks.length}`);
  });
  return mails.every(({ status }) => WELL.has(status)) ? 0 : 1;
}

const UNITS: Partial<Record<RuleFinding['unit'], string>> = { percent: ' %', hours: ' h' };

/** A value as a person reads it: a count without its decimals. */
export function valueText(value: string | null, unit: RuleFinding['unit']): string {
  if (value === null) return 'unknown';
  const text = unit === 'amount' ? value : value.replace(/\.?0+$/, '');
  return `${text}${UNITS[unit] ?? ''}`;
}

function stateText({ to, checks, forChecks, firingSince, noDataSince, silence }: RuleFinding): string {
  if (silence === 'waits') return 'waits';
  if (noDataSince !== null) return `no data since ${utcMinute(noDataSince)}`;
  if (to === 'pending') return `pending, ${checks} of ${forChecks} checks`;
  return to === 'firing' ? `firing since ${utcMinute(firingSince)}` : 'ok';
}

function whatHappens(finding: RuleFinding): string {
  const { says, silence, forChecks, checks, mutedUntil, notBefore, announcedAt, repeatsAt } = finding;
  if (says.length > 0) return `mail: ${says.join(', then ')}`;
  switch (silence) {
    case 'in bounds':
      return 'no mail: it is in bounds';
    case 'pending':
      return `no mail yet: ${forChecks - checks} more ${forChecks - checks === 1 ? 'check' : 'checks'} out of bounds`;
    case 'muted':
      return `no mail: muted until ${utcMinute(mutedUntil)}`;
    case 'no data':
      if (usualText(finding).length > 0)
        return 'no mail: too few earlier days are known to say what is usual';
      return 'no mail: the value is unknown; the log of alert-check says why';
    case 'waits':
      return notBefore === null
        ? 'no mail: it waits until the day is sealed'
        : `no mail: it waits until ${notBefore}, or until the day is sealed`;
    case 'known':
    case null: {
      const again = repeatsAt === null ? 'it is not repeated' : `again at ${utcMinute(repeatsAt)}`;
      return `no mail: sent at ${utcMinute(announcedAt)}, ${again}`;
    }
  }
}

const shape = z.object({ day: z.string(), rules: z.array(z.unknown()) });
const answerSchema = z.custom<AlertCheckAnswer>((answer) => shape.safeParse(answer).success);

function styleOf({ to, silence, noDataSince }: RuleFinding): Style {
  if (noDataSince !== null || to === 'pending') return 'yellow';
  if (silence === 'waits') return 'dim';
  return to === 'firing' ? 'red' : 'green';
}

/** Such as `(12.500 of 30.480, 4 days by 14:00)`. A function of an earlier version says nothing of it. */
function usualText({ usual = null }: Partial<RuleFinding>): string[] {
  if (usual === null) return [];
  const { amount, average, days, by } = usual;
  return [`(${amount} of ${average ?? 'unknown'}, ${counted(days, 'day')}${by === null ? '' : ` by ${by}`})`];
}

function rowOf(finding: RuleFinding) {
  const { rule, measure, severity, value, unit, bound, clearAt } = finding;
  const clears = clearAt === bound.at ? '' : `, clears at ${valueText(clearAt, unit)}`;
  return [
    rule,
    severity,
    measure,
    { text: [valueText(value, unit), ...usualText(finding)].join(' '), side: 'right' as const },
    `${bound.side} ${valueText(bound.at, unit)}${clears}`,
    { text: stateText(finding), style: styleOf(finding) },
    whatHappens(finding),
  ];
}

/** What became of the last alert mail. It stays the last one until a check wants another. */
function lastMailInWords(check: string, mail: SentAlert | undefined): string {
  if (mail === undefined) {
    return `Check ${check} wants a mail, and no run has begun it. The next check sends it first.`;
  }
  const words = recipientsInWords(mail);
  return `The last mail, of check ${check}: ${mail.status}${words === '' ? '' : ` (${words})`}.`;
}

function show(
  output: Output,
  answer: AlertCheckAnswer,
  rules: readonly RuleFinding[],
  lastMail: SentAlert | undefined,
): void {
  const { merchantCode, day, pendingMail, rejected } = answer;
  output.line(output.style('bold', `Alert rules of ${merchantCode}, figures of ${day}`));
  if (rules.length === 0) output.line('The merchant has no rule that can be used.');
  output.table(['Rule', 'Severity', 'Measure', 'Now', 'Fires', 'State', 'Next check'], rules.map(rowOf));
  if (typeof pendingMail === 'string') {
    output.line();
    output.line(shown(lastMailInWords(pendingMail, lastMail)));
  }
  for (const { path, reason } of rejected) {
    output.line();
    output.line(`Left out: ${shown(path)} ${shown(reason)}`);
  }
  if (rules.length === 0) return;
  output.line();
  output.line('Times are UTC. Nothing was written or sent.');
}

export async function test(
  context: CommandContext,
  merchantCode: string,
  { rule }: { rule?: string },
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const doing = `alert-check reads the figures of ${merchantCode}`;
  const event = { merchantCode, dryRun: true };
  const answer = await answerOf(stage, 'alert-check', event, { schema: answerSchema, context, doing });
  const { pendingMail, rules: all = [] } = answer;
  const rules = all.filter((one) => rule === undefined || one.rule === rule);
  if (rule !== undefined && rules.length === 0) {
    const names = all.map((one) => one.rule).join(', ') || 'none';
    throw new CommandError(
      `merchant ${merchantCode} has no rule "${shown(rule)}" that can be used; it has: ${names}`,
    );
  }
  const isPending = typeof pendingMail === 'string';
  const lastMail = isPending ? await readAlert(stage, merchantCode, pendingMail) : undefined;
  output.result({ ...answer, rules, lastMail: lastMail ?? null }, () =>
    show(output, answer, rules, lastMail),
  );
  const isWell = rules.every(({ to, noDataSince }) => to !== 'firing' && noDataSince === null);
  return isWell && answer.rejected.length === 0 ? 0 : 1;
}

const resentSchema = z.object({ merchantCode: z.string(), day: z.string(), mail: mailSchema });

export async function resend(
  context: CommandContext,
  merchantCode: string,
  named: string | undefined,
): Promise<ExitStatus> {
  const { output, questions } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const checks = await checksOf(context, merchantCode);
  const check = named ?? checks[0];
  if (check === undefined || !checks.includes(check)) {
    const which = named === undefined ? 'no alert mail' : `no alert mail of check "${shown(named, 40)}"`;
    throw new CommandError(`${which} of ${merchantCode} is recorded`);
  }
  const mail = await readAlert(stage, merchantCode, check);
  const rules = rulesInWords(mail) ?? 'rules not recorded';
  const what = `the alert mail of ${utcMinute(mail?.at ?? null)} UTC (${shown(rules)})`;
  const asked = `Send ${what} again to the recipients of ${merchantCode} who do not have it?`;
  if (!(await questions.confirm(asked, 'Nothing was sent.'))) return 1;
  const doing = `alert-check sends the mail of ${merchantCode} again`;
  const event = { merchantCode, resend: check };
  const answer = await answerOf(stage, 'alert-check', event, { schema: resentSchema, context, doing });
  output.result({ ...answer, check }, () => {
    const more = `"${stage.lines.daybook('alerts', 'history', merchantCode)}" says what became of it`;
    const { text: sentence, style } = mailSentence(answer.mail, more, false);
    output.line(output.style(style, sentence));
  });
  return answer.mail.status === 'held' ? 1 : 0;
}
