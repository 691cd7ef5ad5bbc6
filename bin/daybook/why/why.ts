import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { isDay } from '#records/day/business-day.ts';
import { InvalidPeriodError, periodKind } from '#records/period/period.ts';
import { historyKey, isMerchantDay } from '#records/storage/keys.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { deliveryMarginOfStage } from '../stage/stage-names.ts';
import { assertKnownGroup, assertKnownMerchant } from '../stage/known-names.ts';
import { queueLines } from '../stage/stage-queues.ts';
import { UsageError, when } from '../terminal/command-errors.ts';
import type { Stage } from '../stage/stage.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Style } from '../terminal/table.ts';
import type { AskedOwner } from './gather.ts';
import type { WhyFacts } from './verdict.ts';
import { gatherFacts } from './gather.ts';
import { timeline } from './timeline.ts';
import { isTrouble, putAsideIn, timeIn, whatComesNext } from './verdict.ts';
import { verdictOfAddress } from './verdict-of-address.ts';
import { alsoSaid, alsoWrong, changedSince, verdictOfPage } from './verdict-of-page.ts';

const LONGEST_LINE = 1_000;

/** Days and longer periods in words. */
const DAYS = new Set(['yesterday', 'today']);
const PERIODS = new Set(['last-week', 'last-month']);

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
  if (DAYS.has(second) || isDay(second))
    return { owner: { merchantCode: first, isDay: true }, wanted: second };
  if (!PERIODS.has(second) && periodKind(second) === undefined) {
    throw new UsageError(
      `give a date (2026-11-20), "yesterday" or "today", or a period: 2026-11, 2026-W47, "last-month" or "last-week". Given: "${shown(second, 40)}"`,
    );
  }
  return { owner: { merchantCode: first, isDay: false }, wanted: second };
}

/** Whether there is a history: it comes with the first sealed day, and stays when the registry has the merchant no more. */
async function isKnown({ s3, bucket }: Stage, merchantCode: string): Promise<boolean> {
  const input = { Bucket: bucket, Prefix: historyKey(merchantCode), MaxKeys: 1 };
  return ((await s3().send(new ListObjectsV2Command(input))).KeyCount ?? 0) > 0;
}

/** Such as `700001 Al Noor, report of 2026-11-20`. */
function heading({ page }: WhyFacts): string {
  const { owner, name, period, from, to } = page;
  const days = from === to ? period : `${period}, ${from} to ${to}`;
  if (owner.group !== undefined) return `Group ${owner.group}, page of ${days}`;
  const who = `${owner.merchantCode}${name === null ? '' : ` ${shown(name, 60)}`}`;
  return `${who}, ${isMerchantDay(page) ? 'report' : 'statement'} of ${days}`;
}

function pageMembers({ page, parts, revisions }: WhyFacts) {
  const { owner, period, from, to, timeZone } = page;
  if (isMerchantDay(page)) return { merchantCode: owner.merchantCode, day: period, timeZone };
  const newest = revisions.at(-1);
  return {
    ...owner,
    ...{ period, from, to, timeZone },
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
  { group, to }: { group?: string; to?: string },
): Promise<ExitStatus> {
  const { owner, wanted } = asked(first, second, group);
  const { output } = context;
  const stage = await context.stage();
  const { lines } = stage;
  const registry = await registryInUse(output, stage);
  if ('group' in owner) assertKnownGroup(registry, owner.group);
  const margin = deliveryMarginOfStage(stage.name);
  const question = { stage, registry, wanted, now: context.now(), margin };
  const facts = await gatherFacts(question, owner, to).catch(
    when(InvalidPeriodError, ({ message }) => {
      throw new UsageError(shown(message, 300));
    }),
  );
  const { page, revisions, check, queues } = facts;
  const { merchantCode = '' } = page.owner;
  const isNothing = page.entry === 'gone' && revisions.length === 0 && check === undefined;
  if (isNothing && !(await isKnown(stage, merchantCode))) assertKnownMerchant(registry, merchantCode, lines);
  const found = to === undefined ? verdictOfPage(facts) : verdictOfAddress(facts, to);
  const steps = timeline(facts, to);
  const wrong = alsoWrong(facts, found);
  const besides = to === undefined ? alsoSaid(facts, found) : [];
  const also = [...wrong, ...besides, ...changedSince(facts)];
  if (queues.putAside === 'hidden')
    output.note('Messages were put aside. Your rights do not let you read whose they are.');
  const putAside = putAsideIn(facts);
  const redrive = putAside === null ? [] : [['redrive', putAside.queue]];
  const commands = [...found.commands, ...redrive].map((command) => lines.daybook(...command));
  const next = whatComesNext(facts, found);
  const said = { timeline: steps, ...found, also, next, commands };
  const result = { stage: stage.name, ...pageMembers(facts), ...said, queues: queues.counts };
  output.result(result, () => {
    const { sentence, toDo, readOn } = found;
    const say = (text: string, style?: Style) => {
      const words = shown(text, LONGEST_LINE);
      output.line(style === undefined ? words : output.style(style, words));
    };
    say(`${heading(facts)} (times in ${page.timeZone})`, 'bold');
    output.line();
    for (const { at, what } of steps)
      output.line(`${output.style('dim', timeIn(facts, at))}  ${shown(what, LONGEST_LINE)}`);
    if (steps.length > 0) output.line();
    say(sentence, isTrouble(found) ? 'red' : 'green');
    for (const text of also) say(text, 'yellow');
    for (const text of next) say(text);
    if (toDo !== null) say(toDo);
    for (const command of commands) say(`  ${command}`);
    if (readOn !== null) say(`Read on: ${readOn}`, 'dim');
    for (const text of queueLines(queues.counts)) say(text, 'dim');
  });
  return isTrouble(found) || wrong.length > 0 ? 1 : 0;
}
