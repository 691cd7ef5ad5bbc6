import type { LedgerEntry } from '#records/ledger/ledger.ts';
import { hadNothingToSend } from '#records/ledger/ledger-rounds.ts';
import { addressHash, isMerchantDay } from '#records/storage/keys.ts';
import { troubleOf } from '#watch/delivery-watch/delivery.ts';
import { answerOf, triesOf } from '../stage/failed-pull.ts';
import { counted, firstNamed } from '../terminal/shown-text.ts';
import { partWord, putAsideIn, whatTicksDo } from './verdict.ts';
import type { RevisionFacts, WhyFacts } from './verdict.ts';

export interface Step {
  /** ISO 8601, UTC. */
  at: string;
  what: string;
}

const MOST_NAMED = 10;

export function namedParts(names: readonly string[]): string {
  return firstNamed(names, MOST_NAMED);
}

/** The parts with another revision than `before`, such as `2026-11-05 (r1 → r2)`. */
export function changedParts(
  parts: Iterable<readonly [name: string, revision: number]>,
  before: ReadonlyMap<string, number>,
): string[] {
  return [...parts].flatMap(([name, revision]) => {
    const was = before.get(name);
    if (was === revision) return [];
    return [was === undefined ? `${name} (new)` : `${name} (r${was} → r${revision})`];
  });
}

/** What a provisional page lacks, in words. Empty for a final one. */
export function lackedBy(
  { page }: Pick<WhyFacts, 'page'>,
  { missing, unbalanced }: Pick<RevisionFacts, 'missing' | 'unbalanced'>,
): string {
  const wrong = page.owner.group === undefined ? 'not balanced' : 'not final';
  return [
    ...(missing.length === 0 ? [] : [`missing: ${namedParts(missing)}`]),
    ...(unbalanced.length === 0 ? [] : [`${wrong}: ${namedParts(unbalanced)}`]),
  ].join('; ');
}

/** What became of a mail to a recipient. */
export const SAYS: Record<LedgerEntry['status'], string> = {
  intended: 'being sent',
  accepted: 'taken by the mail service',
  delivered: 'delivered',
  bounced: 'came back',
  complained: 'marked as unwanted',
  failed: 'not sent',
  skipped: 'skipped',
  held: 'held',
};

/** How a recipient is named: by the address where the registry has it, else by the start of its hash. */
function recipientName({ page: { recipients } }: Pick<WhyFacts, 'page'>, hash: string): string {
  return recipients.find((address) => addressHash(address) === hash) ?? `address ${hash.slice(0, 12)}…`;
}

function mailSteps(facts: WhyFacts, { revision, ledger }: RevisionFacts, only: string | undefined): Step[] {
  if (ledger === undefined) return [];
  const { kind, intendedAt, recipients, round, nothingToSend, reason: whyNot } = ledger;
  const begun = hadNothingToSend(ledger)
    ? `no mail (${nothingToSend ?? whyNot ?? 'no reason is known'})`
    : `mail begun (${kind})`;
  const written = recipients
    .filter(({ to }) => only === undefined || to === only)
    .map(({ at, to, status, reason, round: of }) => {
      const again = of > 1 ? ` again (round ${of} of ${round})` : '';
      const became = `${SAYS[status]}${reason === null ? '' : `: ${reason}`}`;
      return { at, what: `revision ${revision}: mail to ${recipientName(facts, to)}${again}: ${became}` };
    });
  return [{ at: intendedAt, what: `revision ${revision}: ${begun}` }, ...written];
}

function sealedDay({ revision, isGood, soFarUntil, invoices }: RevisionFacts): string {
  const what = revision === 1 ? 'pulled and sealed' : 'changed at the service, pulled and sealed again';
  const rows = invoices === null ? '' : `, ${invoices.toLocaleString('en')} invoices`;
  const part = soFarUntil === null ? '' : ', the day was not over';
  return `${what} as revision ${revision} (${isGood ? 'balanced' : 'not balanced'}${rows}${part})`;
}

function addedUp(facts: WhyFacts, sealed: RevisionFacts, before: RevisionFacts | undefined): string {
  const { revision, isGood, added, closedAt, adjusts = [] } = sealed;
  const good = closedAt === undefined ? 'final' : 'final, and closed';
  const state = isGood ? good : `provisional, ${lackedBy(facts, sealed)}`;
  const changed = before === undefined ? [] : changedParts(added, before.added);
  const why = changed.length === 0 ? '' : `; changed: ${namedParts(changed)}`;
  const tells = adjusts.length === 0 ? '' : `; tells what changed in ${namedParts(adjusts)}, closed`;
  return `sealed as revision ${revision} (${counted(added.size, partWord(facts))}, ${state}${why}${tells})`;
}

function revisionSteps(facts: WhyFacts, only: string | undefined): Step[] {
  const { page, revisions } = facts;
  return revisions.flatMap((sealed, index) => [
    {
      at: sealed.sealedAt,
      what: isMerchantDay(page) ? sealedDay(sealed) : addedUp(facts, sealed, revisions[index - 1]),
    },
    ...mailSteps(facts, sealed, only),
  ]);
}

function at(moment: number): string {
  return new Date(moment).toISOString();
}

/** Until when it waits for its parts: no step when a page was mailed before, or everything is sealed. */
function waitSteps(facts: WhyFacts, deadline: number): Step[] {
  const { page, revisions, parts } = facts;
  const isAllSealed = parts.every(({ revision }) => revision !== null);
  const issued = revisions.find(({ ledger }) => ledger !== undefined);
  const isIssuedBefore = issued !== undefined && Date.parse(issued.sealedAt) < deadline;
  if (isMerchantDay(page) || isIssuedBefore || (revisions.length > 0 && isAllSealed)) return [];
  const isWaiting = whatTicksDo(facts) === 'issue';
  const words = isWaiting ? 'waits for what is not sealed' : 'waited for what was not sealed';
  return [{ at: at(deadline), what: `until then it ${words}` }];
}

/** What happened to a page, oldest first. @param address the one that is asked for, if one is */
export function timeline(facts: WhyFacts, address?: string): Step[] {
  const only = address === undefined ? undefined : addressHash(address);
  const { page, check, clock, delivery, now, stops, wasNotified } = facts;
  const putAside = putAsideIn(facts);
  const steps: Step[] = [];
  if (clock !== null) {
    steps.push({ at: at(clock.dueAt), what: now < clock.dueAt ? 'it will be due' : 'it was due' });
    steps.push(...waitSteps(facts, clock.deadline));
  }
  if (check?.outcome === 'unchanged')
    steps.push({ at: check.checkedAt, what: `last pull: unchanged since revision ${check.revision ?? '?'}` });
  if (check?.outcome === 'failed') {
    const { checkedAt, error, failure } = check;
    const how = failure && ` (${answerOf(failure) || 'no answer is known'}; ${triesOf(failure)})`;
    steps.push({ at: checkedAt, what: `last pull failed: ${error ?? 'UnknownError'}${how ?? ''}` });
  }
  if (putAside !== null) steps.push({ at: putAside.since, what: 'its message was put aside' });
  steps.push(...revisionSteps(facts, only));
  for (const [to, stop] of stops) {
    if (stop.at === null || (only !== undefined && to !== only)) continue;
    steps.push({ at: stop.at, what: `mail to ${recipientName(facts, to)} stopped: ${stop.reason}` });
  }
  if (clock !== null && page.isDue) {
    const isSaid = wasNotified || troubleOf(delivery) !== null;
    const notified = `; it has ${wasNotified ? '' : 'not '}notified the operators of this page`;
    steps.push({ at: at(clock.watchedAt), what: `deadline of the watch${isSaid ? notified : ''}` });
  }
  // Steps of the same moment keep this order.
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
