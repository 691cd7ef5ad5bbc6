import * as z from 'zod';
import type { AlertCheckAnswer } from '#alerts/alert-check/create-alert-check.ts';
import type { RuleFinding } from '#alerts/rules/check-rules.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import type { Style } from '../terminal/table.ts';
import { shown } from '../terminal/shown-text.ts';
import { readAlert, recipientsInWords } from './history.ts';
import { assertCode } from '../stage/known-names.ts';
import type { SentAlert } from './history.ts';
import { utcMinute } from '../terminal/words.ts';

const UNITS: Readonly<Record<RuleFinding['unit'], string>> = {
  count: '',
  percent: ' %',
  amount: '',
  hours: ' h',
};

/** A value as a person reads it: a count without its decimals. */
function valueText(value: string | null, unit: RuleFinding['unit']): string {
  if (value === null) return 'unknown';
  const text = unit === 'amount' ? value : value.replace(/\.?0+$/, '');
  return `${text}${UNITS[unit]}`;
}

/** The state of a rule after the check, in a few words. */
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

const answerSchema = z.custom<AlertCheckAnswer>(
  (answer) => z.object({ day: z.string(), rules: z.array(z.unknown()).optional() }).safeParse(answer).success,
);

const timeSchema = z.iso.datetime({ offset: true });

interface Options {
  rule?: string | undefined;
  now?: string | undefined;
}

function styleOf({ to, silence, noDataSince }: RuleFinding): Style {
  if (noDataSince !== null || to === 'pending') return 'yellow';
  if (silence === 'waits') return 'dim';
  return to === 'firing' ? 'red' : 'green';
}

function rowOf(finding: RuleFinding) {
  const { rule, measure, severity, value, unit, bound, clearAt } = finding;
  const clears = clearAt === bound.at ? '' : `, clears at ${valueText(clearAt, unit)}`;
  return [
    rule,
    severity,
    measure,
    { text: valueText(value, unit), side: 'right' as const },
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
  const { merchantCode, day, ignored, pendingMail, rejected } = answer;
  output.line(output.style('bold', `Alert rules of ${merchantCode}, figures of ${day}`));
  if (ignored !== null) output.line(`This check would not count: ${shown(ignored)}.`);
  else if (rules.length === 0) output.line('The merchant has no rule that can be used.');
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

/** Does `daybook alerts test`. */
export async function test(
  context: CommandContext,
  merchantCode: string,
  { rule, now }: Options,
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  if (now !== undefined && !timeSchema.safeParse(now).success) {
    throw new UsageError('--now must be a time with its offset, such as 2026-11-20T13:30:00+03:00');
  }
  const stage = await context.stage();
  const work = output.begin(`alert-check reads the figures of ${merchantCode}`);
  const event = { merchantCode, dryRun: true, ...(now !== undefined && { now }) };
  const answered = await invokeFunction(stage, 'alert-check', event).finally(() => work.stop());
  const parsed = answerSchema.safeParse(answered);
  if (!parsed.success || (parsed.data.rules === undefined && parsed.data.ignored === null)) {
    throw new CommandError(
      `${stage.functions['alert-check']} does not say what each rule reads: an older version was deployed. Deploy this version`,
    );
  }
  const answer = parsed.data;
  const all = answer.rules ?? [];
  const rules = rule === undefined ? all : all.filter((one) => one.rule === rule);
  if (rule !== undefined && rules.length === 0 && answer.ignored === null) {
    const names = all.map((one) => one.rule).join(', ');
    throw new CommandError(
      `merchant ${merchantCode} has no rule "${shown(rule)}" that can be used: ${names === '' ? 'it has none' : `its rules are ${names}`}`,
    );
  }
  const lastMail =
    typeof answer.pendingMail === 'string'
      ? await readAlert(stage, merchantCode, answer.pendingMail)
      : undefined;
  output.result({ ...answer, rules, lastMail: lastMail ?? null }, () =>
    show(output, answer, rules, lastMail),
  );
  const isWell = rules.every(({ to, noDataSince }) => to !== 'firing' && noDataSince === null);
  return isWell && answer.rejected.length === 0 && answer.ignored === null ? 0 : 1;
}
