import { isDay } from '#records/day/business-day.ts';
import { InvalidPeriodError, periodKind } from '#records/period/period.ts';
import { addressHash, historyKey, isMerchantDay } from '#records/storage/keys.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { assertKnownGroup, unknownMerchant } from '../stage/known-names.ts';
import { queueLines, StageQueues } from '../stage/stage-queues.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { shown } from '../terminal/shown-text.ts';
import type { AskedOwner } from './gather.ts';
import type { WhyFacts, Verdict } from './verdict.ts';
import { gatherFacts } from './gather.ts';
import { timeline } from './timeline.ts';
import type { Step } from './timeline.ts';
import { isTrouble, timeIn } from './verdict.ts';
import { verdictOfAddress } from './verdict-of-address.ts';
import { whatComesNext } from './what-comes-next.ts';
import { alsoSaid, alsoWrong, changedSince, verdictOfPage } from './verdict-of-page.ts';

const LONGEST_LINE = 1_000;
const MINUTE = 60_000;

const DAYS: ReadonlySet<string> = new Set(['yesterday', 'today']);

function isLongPeriod(text: string): boolean {
  const kind = periodKind(text);
  return text === 'last-week' || text === 'last-month' || kind === 'week' || kind === 'month';
}

function asked(
  first: string | undefined,
  second: string | undefined,
  group: string | undefined,
): { owner: AskedOwner; wanted: string } {
  if (group !== undefined) {
    if (first === undefined) throw new UsageError('give a period, such as 2026-11, last-week or yesterday');
    if (second !== undefined) throw new UsageError('give either a merchant or --group, not both');
    return { owner: { group }, wanted: first };
  }
  if (first === undefined) throw new UsageError("give a merchant's code, or a group with --group");
  if (second === undefined)
    throw new UsageError('give a day, or a period such as 2026-11, 2026-W47 or last-month');
  const isLong = isLongPeriod(second);
  if (!isLong && !DAYS.has(second) && !isDay(second)) {
    throw new UsageError(
      `give a date (2026-11-20), "yesterday" or "today", or a period: 2026-11, 2026-W47, "last-month" or "last-week". Given: "${shown(second, 40)}"`,
    );
  }
  return { owner: { merchantCode: first, isDay: !isLong }, wanted: second };
}

interface ShownVerdict extends Omit<Verdict, 'commands'> {
  commands: readonly string[];
  also: readonly string[];
  /** What happens by itself. */
  next: readonly string[];
}

/** A merchant's history comes with its first sealed day, and stays when the registry has the merchant no more. */
class MerchantTraces extends BucketStore {
  async has(merchantCode: string): Promise<boolean> {
    for await (const objects of this.listObjects(historyKey(merchantCode))) return objects.length > 0;
    return false;
  }
}

/** Such as `700001 Al Noor, report of 2026-11-20`. */
function heading({ page }: WhyFacts): string {
  const { owner, name, period, from, to } = page;
  const days = from === to ? period : `${period}, ${from} to ${to}`;
  if (owner.group !== undefined) return `Group ${owner.group}, page of ${days}`;
  const who = `${owner.merchantCode}${name === null ? '' : ` ${shown(name, 60)}`}`;
  return `${who}, ${isMerchantDay(page) ? 'report' : 'statement'} of ${days}`;
}

function showWhy(output: Output, facts: WhyFacts, verdict: ShownVerdict, steps: readonly Step[]): void {
  const { sentence, also, next, toDo, commands, readOn } = verdict;
  output.line(output.style('bold', `${heading(facts)} (times in ${facts.page.timeZone})`));
  output.line();
  for (const { at, what } of steps) {
    output.line(`${output.style('dim', timeIn(facts, at))}  ${shown(what, LONGEST_LINE)}`);
  }
  if (steps.length > 0) output.line();
  output.line(output.style(isTrouble(verdict) ? 'red' : 'green', shown(sentence, LONGEST_LINE)));
  for (const text of also) output.line(output.style('yellow', shown(text, LONGEST_LINE)));
  for (const text of next) output.line(shown(text, LONGEST_LINE));
  if (toDo !== null) output.line(shown(toDo, LONGEST_LINE));
  for (const command of commands) output.line(`  ${shown(command, LONGEST_LINE)}`);
  if (readOn !== null) output.line(output.style('dim', `Read on: ${readOn}`));
  for (const text of queueLines(facts.queues.counts)) output.line(output.style('dim', text));
}

function pageMembers({ page, parts, revisions }: WhyFacts) {
  const { owner, period, from, to, timeZone } = page;
  if (isMerchantDay(page)) return { merchantCode: owner.merchantCode, day: period, timeZone };
  const newest = revisions.at(-1);
  return {
    ...owner,
    period,
    from,
    to,
    timeZone,
    revision: newest?.revision ?? null,
    final: newest?.isGood ?? null,
    notSealed: parts.filter(({ revision }) => revision === null).map(({ name }) => name),
  };
}

/** Does `daybook why`. It only reads. @param first a merchant's code, before a day or period; with a group, the period */
export async function why(
  context: CommandContext,
  first: string | undefined,
  second: string | undefined,
  { group, to }: { group?: string | undefined; to?: string | undefined },
): Promise<ExitStatus> {
  const { owner, wanted } = asked(first, second, group);
  const { output } = context;
  const stage = await context.stage();
  const [s3, { bucket, lines }] = [stage.s3(), stage];
  const registry = await registryInUse(output, stage);
  if ('group' in owner) assertKnownGroup(registry, owner.group);
  const margin = deliveryMinutesOfStage(stage.name) * MINUTE;
  const queues = new StageQueues(stage);
  const now = context.now();
  const question = { s3, bucket, queues, isLocal: stage.isLocal, registry, wanted, now, margin };
  const address = to === undefined ? undefined : { address: to, hash: addressHash(to) };
  const facts = await gatherFacts(question, owner, address).catch((error: unknown) => {
    throw error instanceof InvalidPeriodError ? new UsageError(shown(error.message, 300)) : error;
  });
  const { page, revisions, check } = facts;
  const { merchantCode = '' } = page.owner;
  const isNothing = page.entry === 'gone' && revisions.length === 0 && check === undefined;
  if (isNothing && !(await new MerchantTraces(s3, bucket).has(merchantCode))) {
    throw new CommandError(unknownMerchant(registry, merchantCode, lines));
  }
  const found = address === undefined ? verdictOfPage(facts) : verdictOfAddress(facts, address);
  const steps = timeline(facts, address?.hash);
  const wrong = alsoWrong(facts, found);
  const besides = address === undefined ? alsoSaid(facts, found) : [];
  const also = [...wrong, ...besides, ...changedSince(facts)];
  const next = whatComesNext(facts, found);
  const { putAside, counts } = facts.queues;
  if (putAside === 'hidden')
    output.note('Messages were put aside. Your rights do not let you read whose they are.');
  const redrive = putAside === null || putAside === 'hidden' ? [] : [['redrive', putAside.queue]];
  const commands = [...found.commands, ...redrive].map((command) => lines.daybook(...command));
  const said = { ...found, also, next, commands };
  const result = { stage: stage.name, ...pageMembers(facts), timeline: steps, ...said, queues: counts };
  output.result(result, () => showWhy(output, facts, said, steps));
  return isTrouble(found) || wrong.length > 0 ? 1 : 0;
}
