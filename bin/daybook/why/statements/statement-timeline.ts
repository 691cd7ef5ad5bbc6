import { mailSteps } from '../timeline.ts';
import type { Step } from '../timeline.ts';
import { partWord, whatTicksDo } from './facts.ts';
import type { PageFacts, StatementClock, StatementFacts } from './facts.ts';
import { counted } from '../../terminal/counted.ts';

/** The most days or merchants that a line names. */
const MOST_NAMED = 10;

/** Such as `2026-11-03, 2026-11-17 and 4 more`. */
export function namedParts(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

/** The parts that a revision adds up differently than the one before, such as `2026-11-05 (r1 → r2)`. */
export function changedParts(page: PageFacts, before: PageFacts | undefined): string[] {
  if (before === undefined) return [];
  return [...page.added].flatMap(([name, revision]) => {
    const was = before.added.get(name);
    if (was === revision) return [];
    return [was === undefined ? `${name} (new)` : `${name} (r${was} → r${revision})`];
  });
}

/** What a provisional page lacks, in words. Empty for a final one. */
export function lackedBy(facts: StatementFacts, { missing, unbalanced }: PageFacts): string {
  const wrong = facts.owner.group === undefined ? 'not balanced' : 'not final';
  return [
    ...(missing.length === 0 ? [] : [`missing: ${namedParts(missing)}`]),
    ...(unbalanced.length === 0 ? [] : [`${wrong}: ${namedParts(unbalanced)}`]),
  ].join('; ');
}

function sealStep(facts: StatementFacts, page: PageFacts, before: PageFacts | undefined): Step {
  const added = counted(page.added.size, partWord(facts));
  const state = page.final ? 'final' : `provisional, ${lackedBy(facts, page)}`;
  const changed = changedParts(page, before);
  const why = changed.length === 0 ? '' : `; changed: ${namedParts(changed)}`;
  return {
    at: page.sealedAt,
    what: `sealed as revision ${page.revision} (${added}, ${state}${why})`,
  };
}

/** None when nothing was waited for: a page was mailed before, or everything is sealed. */
function waitSteps(facts: StatementFacts, { deadline }: StatementClock): Step[] {
  const { pages, parts } = facts;
  const isAllSealed = parts.every(({ revision }) => revision !== null);
  const issued = pages.find(({ ledger }) => ledger !== undefined);
  const isIssuedBefore = issued !== undefined && Date.parse(issued.sealedAt) < deadline;
  if (isIssuedBefore || (pages.length > 0 && isAllSealed)) return [];
  const what =
    whatTicksDo(facts) === 'issue'
      ? 'until then it waits for what is not sealed'
      : 'until then it waited for what was not sealed';
  return [{ at: new Date(deadline).toISOString(), what }];
}

/** What happened to a statement, oldest first. */
export function statementTimeline(facts: StatementFacts): Step[] {
  const { clock, now, pages, recipients, name } = facts;
  const at = (moment: number) => new Date(moment).toISOString();
  const entry = { is: 'usable', name, recipients } as const;
  const due: Step[] =
    clock === null
      ? []
      : [
          { at: at(clock.dueAt), what: now < clock.dueAt ? 'it will be due' : 'it was due' },
          ...waitSteps(facts, clock),
        ];
  const steps = [
    ...due,
    ...pages.flatMap((page, index) => [
      sealStep(facts, page, pages[index - 1]),
      ...mailSteps({ entry }, page),
    ]),
  ];
  // Steps of the same moment keep this order.
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
