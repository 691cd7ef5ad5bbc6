import { addressHash } from '#domain/storage/keys.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { unknownMerchant } from '../stage/unknown-merchant.ts';
import { askedDay } from '../status/asked-day.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { gatherFacts } from './gather.ts';
import { timeline } from './timeline.ts';
import type { Step } from './timeline.ts';
import { alsoTrue, verdictOfReport } from './verdict-of-report.ts';
import { isTrouble, timeIn } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { verdictOfAddress } from './verdict-of-address.ts';
import type { Output } from '../terminal/output.ts';
import type { WhyFacts } from './facts.ts';

/** The longest line that is printed. */
const LONGEST_LINE = 1_000;

/** A verdict with its commands as they are typed. */
type ShownVerdict = Omit<Verdict, 'commands'> & {
  commands: readonly string[];
  also: readonly string[];
};

/** Prints what happened, then why there is a mail or none, then what to do. */
function showWhy(output: Output, facts: WhyFacts, verdict: ShownVerdict, steps: readonly Step[]): void {
  const { merchantCode, entry, day, timeZone } = facts;
  const name = entry.is === 'usable' ? ` ${shown(entry.name, 60)}` : '';
  output.line(output.style('bold', `${merchantCode}${name}, report of ${day} (times in ${timeZone})`));
  output.line();
  for (const { at, what } of steps) {
    output.line(`${output.style('dim', timeIn(facts, at))}  ${shown(what, LONGEST_LINE)}`);
  }
  output.line();
  const style = isTrouble({ ...verdict, commands: [] }) ? 'red' : 'green';
  output.line(output.style(style, shown(verdict.sentence, LONGEST_LINE)));
  for (const text of verdict.also) output.line(output.style('yellow', shown(text, LONGEST_LINE)));
  if (verdict.toDo !== null) output.line(shown(verdict.toDo, LONGEST_LINE));
  for (const command of verdict.commands) output.line(`  ${shown(command, LONGEST_LINE)}`);
  if (verdict.readOn !== null) output.line(output.style('dim', `Read on: ${verdict.readOn}`));
}

/** Does `daybook why`. */
export async function why(
  context: CommandContext,
  merchantCode: string,
  wanted: string,
  { to }: { to?: string | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const now = context.now();
  const day = askedDay(wanted, now);
  const [s3, { bucket }] = [stage.s3(), stage];
  const { registry, alarm } = await new RegistrySource(s3, bucket, stage.registryKey).load();
  if (alarm !== null) output.note(output.noteStyle('yellow', shown(alarm, 1_000)));
  const address = to === undefined ? undefined : { address: to, hash: addressHash(to) };
  const deadlineMinutes = deliveryMinutesOfStage(stage.name);
  const question = { s3, bucket, registry, merchantCode, day, address, now, deadlineMinutes };
  const facts = await gatherFacts(question);
  if (facts.entry.is === 'gone' && facts.revisions.length === 0 && facts.check === undefined) {
    throw new CommandError(unknownMerchant(registry, merchantCode, stage.lines));
  }
  const found = address === undefined ? verdictOfReport(facts) : verdictOfAddress(facts, address);
  const steps = timeline(facts, address?.hash);
  const also = alsoTrue(facts, found);
  const commands = found.commands.map((words) => stage.lines.daybook(...words));
  const result = {
    stage: stage.name,
    merchantCode,
    day: facts.day,
    timeZone: facts.timeZone,
    timeline: steps,
    ...found,
    also,
    commands,
  };
  output.result(result, () => showWhy(output, facts, { ...found, also, commands }, steps));
  return isTrouble(found) || also.length > 0 ? 1 : 0;
}
