import { MAX_RECEIVES } from '#lib/functions.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { nextTryOf } from '../stage/failed-pull.ts';
import { firstNamed } from '../terminal/shown-text.ts';
import { leftToDo, putAsideIn, queued, timeIn } from './verdict.ts';
import type { Ending, Verdict, WhyFacts } from './verdict.ts';

const DAY = 24 * 60 * 60 * 1_000;
const MOST_MORNINGS = 3;

/** What becomes of the message, and what ends that. */
function ofTheMessage(facts: WhyFacts, ending: Ending): string[] {
  const { check, clock, now } = facts;
  if (ending === 'plan did not run') {
    const until = (clock?.dueAt ?? now) + DAY;
    return now < until ? [`The next tick of plan makes up for it, until ${timeIn(facts, until)}.`] : [];
  }
  if (putAsideIn(facts) !== null) return ['Its message is not tried again by itself.'];
  const next = ending === 'pull failed' ? nextTryOf(check, now) : null;
  if (next !== null) {
    const [from, until] = [next.from, next.until].map((at) => timeIn(facts, at));
    return [
      `It is tried again by itself between ${from} and ${until}: try ${next.number} of ${MAX_RECEIVES}. After try ${MAX_RECEIVES} its message is put aside.`,
    ];
  }
  const left = queued(facts);
  if (left === 0) return ['No queue has a message, so none is tried again.'];
  return [
    `Its message may be among ${left} in the queues. Each is tried ${MAX_RECEIVES} times, then put aside.`,
  ];
}

/** A later morning pulls the day again, and sends what was not sent. */
function ofLaterMornings(facts: WhyFacts): string {
  const times = facts.pulledAgainAt.map((at) => timeIn(facts, at));
  return times.length === 0
    ? 'No later report pulls this day again.'
    : `Later reports pull this day again by themselves, and send what was not sent: ${firstNamed(times, MOST_MORNINGS)}. After that nothing does.`;
}

/** What happens to a page by itself from now on, and what ends that. Empty where the verdict says it, or nothing is to happen. */
export function whatComesNext(facts: WhyFacts, found: Pick<Verdict, 'ending'>): string[] {
  const { page, clock, now } = facts;
  const { ending } = found;
  const left = leftToDo(found);
  if (left === 'sent') return ['Nothing sends this mail again by itself.'];
  if (isMerchantDay(page)) {
    if (ending === 'unbalanced') return [ofLaterMornings(facts)];
    if (left === null) return [];
    return [...ofTheMessage(facts, ending), ...(page.entry === 'usable' ? [ofLaterMornings(facts)] : [])];
  }
  if (left === null) return [];
  const until = clock?.issueUntil ?? null;
  const isHandedOut = (ending === 'not sealed' || ending === 'no mail begun') && clock !== null;
  if (!isHandedOut || (until !== null && now >= until)) return ofTheMessage(facts, ending);
  return [
    `Each tick of the reports sends its message again${until === null ? '' : `, until ${timeIn(facts, until)}`}.`,
  ];
}
