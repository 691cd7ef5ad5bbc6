import { periodKind } from '#records/period/period.ts';
import { groupSettings } from '#registry/groups.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { Registry } from '#registry/registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import { isMailless, mailMembers, mailSentence, mayMail } from '../report/asked-mail.ts';
import type { MailMembers, MailOptions } from '../report/asked-mail.ts';
import { revisionWords, showFigures } from '../report/report.ts';
import { statementAnswerSchema } from '../stage/function-answers.ts';
import type { StatementAnswer } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { assertKnownGroup, assertKnownMerchant } from '../stage/known-names.ts';
import type { Lines, Stage } from '../stage/stage.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { counted, firstNamed, shown, utcMinute } from '../terminal/shown-text.ts';

/** UTF-16 units. */
const LONGEST_LINE = 500;
const MOST_NAMED = 31;

/** That it is closed, and what it tells of closed ones. */
function showClosing(output: Output, answer: StatementAnswer): void {
  if ('group' in answer) return;
  const { closedAt, statementKey, adjustments = 0 } = answer;
  if (closedAt) {
    const isClosed = statementKey === null ? 'It would be closed now' : `Closed on ${utcMinute(closedAt)}`;
    output.line(`${isClosed}: it does not change any more.`);
  }
  if (adjustments > 0) output.line(`It tells ${counted(adjustments, 'adjustment')} of closed statements.`);
}

function showWhetherFinal(output: Output, answer: StatementAnswer, lines: Lines): void {
  const what = 'group' in answer ? 'merchant' : 'day';
  if (answer.final) {
    output.line(output.style('green', `Final: every ${what} is there, and all balance.`));
    return;
  }
  output.line(output.style('yellow', 'Provisional.'));
  const lists = { Missing: answer.missing, 'Not balanced': answer.unbalanced };
  for (const [title, names] of Object.entries(lists).filter(([, list]) => list.length > 0))
    output.line(shown(`  ${title}: ${firstNamed(names, MOST_NAMED)}`, LONGEST_LINE));
  if (Object.values(lists).flat().length === 0 && 'group' in answer) {
    const why = lines.daybook('why', '--group', answer.group, answer.period);
    output.line(`  The statement of one of its merchants is provisional: "${why}" names it.`);
  }
}

function showSums(output: Output, currencyOfOwner: string, answer: StatementAnswer): void {
  if (!('group' in answer) && answer.byCurrency === undefined) {
    showFigures(output, answer, answer.currency ?? currencyOfOwner);
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
function showStatement(
  { output, lines }: CommandContext,
  owner: Owner,
  answer: StatementAnswer,
  isDryRun: boolean,
): void {
  const { period, from, to } = answer;
  const days = from === to ? from : `${period} (${from} to ${to})`;
  output.line(output.style('bold', `${owner.title}, ${days}, ${revisionWords(answer, isDryRun)}`));
  output.line();
  showSums(output, owner.currency, answer);
  output.line();
  showWhetherFinal(output, answer, lines);
  showClosing(output, answer);
  const more = `Its ledger says more: ${answer.statementKey?.replace(/^statements/, 'mail') ?? 'see the bucket'}`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}

type NamedOwner = { merchantCode: string } | { group: string };
type StatementEvent = NamedOwner & MailMembers & { period: string };

function namedOwner(merchantCode: string | undefined, group: string | undefined): NamedOwner {
  if (merchantCode !== undefined && group !== undefined)
    throw new UsageError('give either a merchant or --group, not both');
  if (merchantCode !== undefined) return { merchantCode };
  if (group !== undefined) return { group };
  throw new UsageError("give a merchant's code, or a group with --group");
}

/** What the registry calls the pages of a period: `monthly` for `2026-11`. */
function scheduleOf(period: string): 'daily' | 'monthly' | 'weekly' {
  if (period === 'last-month' || periodKind(period) === 'month') return 'monthly';
  return period === 'last-week' || periodKind(period) === 'week' ? 'weekly' : 'daily';
}

type Owner = ReturnType<typeof ownerIn>;

/**
 * The owner of a page: `title`, the merchant's code and name or the group's name, is safe to print. `isScheduled`: the
 * registry asks for pages of such a period.
 *
 * @throws {CommandError} when the registry does not have it
 */
export function ownerIn(registry: Registry, event: StatementEvent, lines: Lines) {
  const schedule = scheduleOf(event.period);
  if ('group' in event) {
    assertKnownGroup(registry, event.group);
    const { recipients, [schedule]: asked = false } = groupSettings(registry, event.group);
    // A group's page has its currencies itself.
    return { title: `Group ${event.group}`, currency: '', recipients, isScheduled: asked !== false };
  }
  const { merchantCode } = event;
  assertKnownMerchant(registry, merchantCode, lines);
  const { name, currency, recipients, statements } = merchantSettings(registry, merchantCode);
  const isScheduled = schedule !== 'daily' && statements?.[schedule] !== undefined;
  return { title: `${merchantCode} ${shown(name, 60)}`, currency, recipients, isScheduled };
}

/** Has the function make it, and shows what it answers. */
export async function makeStatement(
  context: CommandContext,
  stage: Stage,
  event: StatementEvent,
  owner: Owner,
): Promise<ExitStatus> {
  const doing = `statement runs for ${owner.title}`;
  const answer = await answerOf(stage, 'statement', event, { schema: statementAnswerSchema, context, doing });
  context.output.result(answer, () => showStatement(context, owner, answer, event.dryRun === true));
  return answer.final && answer.mail.status !== 'held' ? 0 : 1;
}

export async function statement(
  context: CommandContext,
  code: string | undefined,
  { group, period, ...options }: MailOptions & { group?: string | undefined; period: string },
): Promise<ExitStatus> {
  const { output } = context;
  const event = { ...namedOwner(code, group), period, ...mailMembers(options) };
  const stage = await context.stage();
  const owner = ownerIn(await registryInUse(output, stage), event, stage.lines);
  const page = 'group' in event ? 'page' : 'statement';
  if (!owner.isScheduled && event.to === undefined && !isMailless(event))
    output.note(`By the registry, no ${page} of such a period is made: ${owner.title} gets it by hand only.`);
  const what = `the ${event.to === undefined ? '' : 'preview of the '}${page} of ${period} of ${owner.title}`;
  if (!(await mayMail(context, what, event, owner.recipients))) return 1;
  return makeStatement(context, stage, event, owner);
}
