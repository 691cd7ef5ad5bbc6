import { InvalidPeriodError } from '#domain/period/period.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../../context.ts';
import type { ExitStatus } from '../../perform.ts';
import { assertKnownGroup } from '../../stage/unknown-group.ts';
import { assertKnownMerchant } from '../../stage/unknown-merchant.ts';
import { UsageError } from '../../terminal/command-errors.ts';
import { shown } from '../../terminal/shown-text.ts';
import { gatherGroupPage, gatherStatement } from './gather-statement.ts';
import type { StatementQuestion } from './gather-statement.ts';
import type { StatementFacts } from './facts.ts';
import { isStatementTrouble } from './statement-ending.ts';
import type { StatementVerdict } from './statement-ending.ts';
import { statementTimeline } from './statement-timeline.ts';
import { alsoTrueOf, verdictOfStatement } from './statement-verdict.ts';
import { localTime } from '#domain/day/business-day.ts';
import type { Output } from '../../terminal/output.ts';
import type { Step } from '../timeline.ts';

/** The longest line that is printed. */
const LONGEST_LINE = 1_000;

/** A verdict with its commands as they are typed. */
type ShownVerdict = Omit<StatementVerdict, 'commands'> & {
  commands: readonly string[];
  also: readonly string[];
};

/** Prints what happened, then why there is a statement or none, then what to do. */
function showStatementWhy(
  output: Output,
  { owner, name, period, from, to, timeZone }: StatementFacts,
  { ending, sentence, also, toDo, commands, readOn }: ShownVerdict,
  steps: readonly Step[],
): void {
  const who =
    owner.group === undefined
      ? `${owner.merchantCode} ${shown(name, 60)}, statement`
      : `Group ${owner.group}, page`;
  const days = from === to ? period : `${period}, ${from} to ${to}`;
  output.line(output.style('bold', `${who} of ${days} (times in ${timeZone})`));
  output.line();
  for (const { at, what } of steps) {
    output.line(
      `${output.style('dim', localTime(new Date(at).toISOString(), timeZone))}  ${shown(what, LONGEST_LINE)}`,
    );
  }
  if (steps.length > 0) output.line();
  const line = shown(sentence, LONGEST_LINE);
  output.line(output.style(isStatementTrouble({ ending }) ? 'red' : 'green', line));
  for (const text of also) output.line(output.style('yellow', shown(text, LONGEST_LINE)));
  if (toDo !== null) output.line(shown(toDo, LONGEST_LINE));
  for (const command of commands) output.line(`  ${shown(command, LONGEST_LINE)}`);
  if (readOn !== null) output.line(output.style('dim', `Read on: ${readOn}`));
}

/** Whose statement is asked for. */
export type AskedOwner = { merchantCode: string } | { group: string };

/** @throws {UsageError} when the text is no period, or is not over yet */
async function gather(question: StatementQuestion, asked: AskedOwner): Promise<StatementFacts> {
  try {
    return 'group' in asked
      ? await gatherGroupPage(question, asked.group)
      : await gatherStatement(question, asked.merchantCode);
  } catch (error) {
    if (error instanceof InvalidPeriodError) throw new UsageError(shown(error.message, 300));
    throw error;
  }
}

/** Explains a statement or a group's page. It only reads. @param wanted a period, or `last-month` and the like */
export async function whyStatement(
  context: CommandContext,
  asked: AskedOwner,
  wanted: string,
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const [s3, { bucket }] = [stage.s3(), stage];
  const { registry, alarm } = await new RegistrySource(s3, bucket, stage.registryKey).load();
  if (alarm !== null) output.note(output.noteStyle('yellow', shown(alarm, 1_000)));
  if ('group' in asked) assertKnownGroup(registry, asked.group);
  else assertKnownMerchant(registry, asked.merchantCode, stage.lines);
  const facts = await gather({ s3, bucket, registry, wanted, now: context.now() }, asked);
  const verdict = verdictOfStatement(facts);
  const steps = statementTimeline(facts);
  const also = alsoTrueOf(facts);
  const commands = verdict.commands.map((words) => stage.lines.daybook(...words));
  const newest = facts.pages.at(-1);
  const result = {
    stage: stage.name,
    ...asked,
    period: facts.period,
    from: facts.from,
    to: facts.to,
    timeZone: facts.timeZone,
    revision: newest?.revision ?? null,
    final: newest?.final ?? null,
    notSealed: facts.parts.filter(({ revision }) => revision === null).map(({ name }) => name),
    timeline: steps,
    ...verdict,
    also,
    commands,
  };
  output.result(result, () => showStatementWhy(output, facts, { ...verdict, also, commands }, steps));
  return isStatementTrouble(verdict) ? 1 : 0;
}
