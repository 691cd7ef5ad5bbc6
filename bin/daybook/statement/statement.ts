import { mailSentence, askedRecipients, assertOnlyOne, mayMail, resendOf } from '../report/asked-mail.ts';
import { revisionWords, showFigures } from '../report/report.ts';
import { counted, firstNamed, shown, utcMinute } from '../terminal/shown-text.ts';
import type { StatementAnswer } from '../stage/function-answers.ts';
import type { Lines, Stage } from '../stage/stage.ts';
import type { Output } from '../terminal/output.ts';
import { periodKind } from '#records/period/period.ts';
import { groupSettings } from '#registry/groups.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { Registry } from '#registry/registry.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { assertKnownGroup, assertKnownMerchant } from '../stage/known-names.ts';
import type { ResendMember, ResendOptions } from '../report/asked-mail.ts';
import { statementAnswerSchema } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { UsageError } from '../terminal/command-errors.ts';

interface NamedOwner {
  /** The merchant's code and name, or the group's name. Safe to print. */
  title: string;
  /** Of a merchant, where the answer does not say it. A group's page has its currencies itself. */
  currency: string;
}

interface ShownStatement {
  owner: NamedOwner;
  answer: StatementAnswer;
  isDryRun: boolean;
  lines: Lines;
}

const LONGEST_LINE = 500;
const MOST_NAMED = 31;

/** That it is closed, and what it tells of closed ones. */
function showClosing(output: Output, { answer }: ShownStatement): void {
  if ('group' in answer) return;
  const { closedAt, statementKey, adjustments = 0 } = answer;
  if (closedAt) {
    const isClosed = statementKey === null ? 'It would be closed now' : `Closed on ${utcMinute(closedAt)}`;
    output.line(`${isClosed}: it does not change any more.`);
  }
  if (adjustments > 0) output.line(`It tells ${counted(adjustments, 'adjustment')} of closed statements.`);
}

function showWhetherFinal(output: Output, { answer, lines }: ShownStatement): void {
  const what = 'group' in answer ? 'merchant' : 'day';
  if (answer.final) {
    output.line(output.style('green', `Final: every ${what} is there, and all balance.`));
    return;
  }
  output.line(output.style('yellow', 'Provisional.'));
  const { missing, unbalanced } = answer;
  if (missing.length > 0) output.line(shown(`  Missing: ${firstNamed(missing, MOST_NAMED)}`, LONGEST_LINE));
  if (unbalanced.length > 0)
    output.line(shown(`  Not balanced: ${firstNamed(unbalanced, MOST_NAMED)}`, LONGEST_LINE));
  if (missing.length + unbalanced.length === 0 && 'group' in answer) {
    const why = lines.daybook('why', '--group', answer.group, answer.period);
    output.line(`  The statement of one of its merchants is provisional: "${why}" names it.`);
  }
}

function showSums(output: Output, { owner, answer }: ShownStatement): void {
  if (!('group' in answer) && answer.byCurrency === undefined) {
    showFigures(output, answer, answer.currency ?? owner.currency);
    return;
  }
  output.line(
    'group' in answer
      ? `${counted(answer.merchants.length, 'merchant')} with a page`
      : 'Its days are in different currencies. Their amounts are not added up.',
  );
  for (const [currency, figures] of Object.entries(answer.byCurrency ?? {})) {
    output.line();
    showFigures(output, figures, shown(currency, 10));
  }
}

/** Prints a statement: its figures as the mail has them, whether it is final, and what became of the mail. */
function showStatement(output: Output, statement: ShownStatement): void {
  const { owner, answer, isDryRun } = statement;
  const { period, from, to } = answer;
  const days = from === to ? from : `${period} (${from} to ${to})`;
  output.line(output.style('bold', `${owner.title}, ${days}, ${revisionWords(answer, isDryRun)}`));
  output.line();
  showSums(output, statement);
  output.line();
  showWhetherFinal(output, statement);
  showClosing(output, statement);
  const more = `Its ledger says more: ${answer.statementKey?.replace(/^statements/, 'mail') ?? 'see the bucket'}`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}

interface StatementOptions extends ResendOptions {
  group?: string | undefined;
  period: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
  /** `false` with `--no-send`. */
  send: boolean;
}

type StatementEvent = ({ merchantCode: string } | { group: string }) &
  ResendMember & { period: string; dryRun?: true; to?: readonly string[]; send?: false };

function ownerOf(
  code: string | undefined,
  group: string | undefined,
): { merchantCode: string } | { group: string } {
  if (code !== undefined && group !== undefined) {
    throw new UsageError('give either a merchant or --group, not both');
  }
  if (code !== undefined) return { merchantCode: code };
  if (group !== undefined) return { group };
  throw new UsageError("give a merchant's code, or a group with --group");
}

function statementEvent(code: string | undefined, options: StatementOptions): StatementEvent {
  const { period, dryRun, to, send } = options;
  assertOnlyOne([dryRun && '--dry-run', to && '--to', options.resend && '--resend', !send && '--no-send']);
  return {
    ...ownerOf(code, options.group),
    period,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
    ...(!send && { send }),
  };
}

/** What the registry calls the pages of a period: `monthly` for `2026-11`. */
function scheduleOf(period: string): 'daily' | 'monthly' | 'weekly' {
  if (period === 'last-month' || periodKind(period) === 'month') return 'monthly';
  return period === 'last-week' || periodKind(period) === 'week' ? 'weekly' : 'daily';
}

/** @throws {CommandError} when the registry does not have it */
export function ownerIn(registry: Registry, event: StatementEvent, lines: Lines) {
  const schedule = scheduleOf(event.period);
  if ('group' in event) {
    assertKnownGroup(registry, event.group);
    const group = groupSettings(registry, event.group);
    const { recipients, [schedule]: asked } = group;
    // Whether the registry asks for pages of such a period.
    const isScheduled = asked !== undefined && asked !== false;
    return { title: `Group ${event.group}`, currency: '', recipients, isScheduled };
  }
  const { merchantCode } = event;
  assertKnownMerchant(registry, merchantCode, lines);
  const { name, currency, recipients, statements } = merchantSettings(registry, merchantCode);
  const isScheduled = schedule !== 'daily' && statements?.[schedule] !== undefined;
  return { title: `${merchantCode} ${shown(name, 60)}`, currency, recipients, isScheduled };
}

interface StatementToMake {
  event: StatementEvent;
  owner: NamedOwner;
  isDryRun: boolean;
}

/** Has the function make it, and shows what it answers. */
export async function makeStatement(
  context: CommandContext,
  stage: Stage,
  { event, owner, isDryRun }: StatementToMake,
): Promise<ExitStatus> {
  const { output } = context;
  const doing = `statement runs for ${owner.title}`;
  const answer = await answerOf(stage, 'statement', event, { schema: statementAnswerSchema, context, doing });
  output.result(answer, () => showStatement(output, { owner, answer, isDryRun, lines: stage.lines }));
  return answer.final && answer.mail.status !== 'held' ? 0 : 1;
}

/** Does `daybook statement`. */
export async function statement(
  context: CommandContext,
  code: string | undefined,
  options: StatementOptions,
): Promise<ExitStatus> {
  const { output } = context;
  const event = statementEvent(code, options);
  const stage = await context.stage();
  const registry = await registryInUse(output, stage);
  const owner = ownerIn(registry, event, stage.lines);
  const mail = askedRecipients(event, owner.recipients);
  if (mail !== undefined) {
    const page = 'group' in event ? 'page' : 'statement';
    const what = `the ${event.to === undefined ? '' : 'preview of the '}${page} of ${event.period} of ${owner.title}`;
    if (!owner.isScheduled && event.to === undefined)
      output.note(
        `By the registry, no ${page} of such a period is made: ${owner.title} gets it by hand only.`,
      );
    if (!(await mayMail(context, { what, ...mail }))) return 1;
  }
  return makeStatement(context, stage, { event, owner, isDryRun: options.dryRun === true });
}
