import { localTime } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { Delivery, ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import type { DeadLetter, QueueCounts } from '../stage/stage-queues.ts';
import type { SealedRevision } from '../stage/sealed-revision.ts';
import { adviceFor } from '#watch/delivery-watch/watch-notice.ts';
import { MAX_RECEIVES } from '#lib/functions.ts';
import { HEADINGS } from '#mail/notices/runbook.ts';
import { nextTryOf } from '../stage/failed-pull.ts';
import { firstNamed } from '../terminal/shown-text.ts';

/** When a page is due. Milliseconds UTC. */
export interface PageClock {
  dueAt: number;
  /** From here on it is issued although something is missing. A merchant's day waits for nothing, so it is `dueAt`. */
  deadline: number;
  /** Until then the watch waits for it. */
  watchedAt: number;
  /** From here on one that is still missing is issued only if it is the newest. `null`: always. */
  issueUntil: number | null;
  /** From here on ticks do not make it again. */
  followedUntil: number;
  /** When a merchant's statement is closed, if it is final then. Left out: never. */
  closesAt?: number | undefined;
}

/** A day of a merchant, or a merchant of a group, as it is sealed now. */
export interface PartFacts {
  /** A date, or a merchant's code. */
  name: string;
  /** The newest revision, `null` when nothing is sealed. */
  revision: number | null;
  /** Whether a day balances. `null` when that is not looked at. */
  good: boolean | null;
}

export interface AskedPage {
  page: ExpectedPage;
  /** `null`: the registry does not ask for pages of this kind. */
  clock: PageClock | null;
  /** Why the merchant's entry cannot be used, `null` when it can or is gone. Only a day is explained without its entry. */
  problem: string | null;
  /** The first day that is reported, if the registry sets one. */
  reportFrom: Day | undefined;
  /** Whether a group adds a statement up, so that it is made without a mail. */
  isForGroup: boolean;
  /** When later mornings pull the day again: it is one of their lookback days. Milliseconds UTC, in order. Empty for other pages. */
  pulledAgainAt: readonly number[];
  /** The parts that are expected, in order. A merchant's day is pulled and has none. */
  parts: readonly PartFacts[];
}

/** A sealed revision, and what became of its mail: `undefined` when no run began one. */
export type RevisionFacts = SealedRevision & { ledger: Ledger | undefined };

/** What the queues have (docs/queues.md). */
export interface QueueFacts {
  /** The newest tick of the reports. ISO 8601, UTC; `null` when none is known. */
  lastTick: string | null;
  /** Of the queues in which the page's message can be. */
  counts: readonly QueueCounts[];
  /** The page's message that was put aside. `hidden`: there are some, and nobody may read whose. */
  putAside: DeadLetter | 'hidden' | null;
}

export interface StopFacts {
  reason: string;
  /** Only mails like the one that is asked for. */
  byReader: boolean;
  /** Since when (ISO 8601, UTC). `null` when a person did not write it. */
  at: string | null;
}

export interface WhyFacts extends AskedPage {
  /** A local run, where the mail service sends no events. */
  isLocal: boolean;
  /** Milliseconds UTC. */
  now: number;
  queues: QueueFacts;
  /** Only of a merchant's day. */
  check: CheckRecord | undefined;
  /** Oldest first. The newest ones of very many. */
  revisions: readonly RevisionFacts[];
  mail: Ledger | undefined;
  delivery: Delivery;
  /** By the hash of the address: those of recipients and of the mails. */
  stops: ReadonlyMap<string, StopFacts>;
  wasNotified: boolean;
  /** Why some records cannot be read. */
  unreadable: string | null;
}

/** What the parts of a page are called. */
export function partWord({ page: { owner } }: Pick<WhyFacts, 'page'>): 'day' | 'merchant' {
  return owner.group === undefined ? 'day' : 'merchant';
}

/**
 * What ticks do about a page that adds up others, from now on. `issue`: they wait for what is not sealed, as long as the
 * deadline says, and then make and mail it. That is so while no mail of its newest revision has begun: nothing is sealed, only
 * a preview has sealed it, or a run died before its mail. `follow`: they make it again when one of its days has changed.
 * `nothing`: a page of a group is not made again once it is mailed, and nor is a statement after its time.
 */
export function whatTicksDo({ page, clock, revisions, now }: WhyFacts): 'issue' | 'follow' | 'nothing' {
  if (clock === null || isMerchantDay(page)) return 'nothing';
  const newest = revisions.at(-1);
  if (newest?.ledger === undefined && now < clock.deadline) return 'issue';
  if (newest?.closedAt !== undefined) return 'nothing';
  return page.owner.group === undefined && now < clock.followedUntil ? 'follow' : 'nothing';
}

export interface Verdict {
  ending: Ending;
  sentence: string;
  toDo: string | null;
  /** Where to read on, such as `docs/runbook.md, "A mail is held"`. */
  readOn: string | null;
  /** The words after `daybook` of each command that helps. */
  commands: readonly (readonly string[])[];
}

/**
 * `trouble`: somebody has to do something. `run`: a run has still to do something. `sent`: the mail is decided, and no run
 * sends it again.
 */
const ENDINGS = {
  delivered: {},
  mailed: {},
  corrected: {},
  'nothing to send': {},
  'stopped by its readers': { left: 'sent' },
  'not due yet': {},
  'before reportFrom': {},
  waiting: {},
  'next tick': {},
  'not asked for': {},
  'under way': {},
  // A merchant's day that is not there.
  'plan did not run': { trouble: true, left: 'run' },
  'in the queue': { trouble: true, left: 'run' },
  'put aside': { trouble: true, left: 'run' },
  'never planned': { trouble: true, left: 'run' },
  'pull failed': { trouble: true, left: 'run' },
  'entry rejected': { trouble: true },
  'not in the registry': { trouble: true },
  // Any other page that is not there.
  'nothing sealed': { trouble: true },
  'not sealed': { trouble: true, left: 'run' },
  'not issued any more': { trouble: true },
  // A page that is there.
  'no mail begun': { trouble: true, left: 'run' },
  'mail refused': { trouble: true, left: 'run' },
  'mail not finished': { trouble: true, left: 'run' },
  held: { trouble: true, left: 'sent' },
  bounced: { trouble: true, left: 'sent' },
  complained: { trouble: true, left: 'sent' },
  stopped: { trouble: true, left: 'sent' },
  unbalanced: { trouble: true },
  provisional: { trouble: true },
  'not readable': { trouble: true },
  // The mail to one address.
  'not a recipient': { trouble: true },
  'not written to': { trouble: true },
} as const satisfies Record<string, { trouble?: true; left?: 'run' | 'sent' }>;

export type Ending = keyof typeof ENDINGS;

/** Whether somebody has to do something. */
export function isTrouble({ ending }: Pick<Verdict, 'ending'>): boolean {
  return 'trouble' in ENDINGS[ending];
}

/** A verdict without the members that say nothing. */
export function verdict(ending: Ending, sentence: string, more: Partial<Verdict> = {}): Verdict {
  return { ending, sentence, toDo: null, readOn: null, commands: [], ...more };
}

/** The local time of a moment, such as `2026-11-21 06:00`. @param at milliseconds UTC, or ISO 8601 */
export function timeIn({ page: { timeZone } }: Pick<WhyFacts, 'page'>, at: number | string): string {
  return localTime(new Date(at).toISOString(), timeZone);
}

/** Whether a run is sending the mail now. */
export function isUnderWay({ mail, now }: Pick<WhyFacts, 'mail' | 'now'>): boolean {
  return mail?.status === 'intended' && now < Date.parse(mail.until);
}

/** How many messages are still to be done, of which one may be the page's. */
export function queued({ queues: { counts } }: Pick<WhyFacts, 'queues'>): number {
  return counts.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** Milliseconds: the mail service tries for 14 hours, and EventBridge for a day. */
const EVENTS_WITHIN = 48 * 60 * 60 * 1_000;

/** That no event of a mail says that it was delivered, and whether one may still come. @param at ISO 8601: when it was taken */
export function noEventYet({ isLocal, now }: Pick<WhyFacts, 'isLocal' | 'now'>, at: string): string {
  if (isLocal) return 'A local run has no events, so none will say that it was delivered.';
  return now < Date.parse(at) + EVENTS_WITHIN
    ? 'No event says yet that it was delivered.'
    : 'No event said that it was delivered, and after two days none will come.';
}

export function makeAgain({ page }: Pick<WhyFacts, 'page'>): string[] {
  const { owner, period } = page;
  if (owner.group !== undefined) return ['statement', '--group', owner.group, '--period', period];
  return isMerchantDay(page)
    ? ['report', owner.merchantCode, '--day', period]
    : ['statement', owner.merchantCode, '--period', period];
}

/** That its message was put aside, and why. */
export function putAsideSentence(facts: Pick<WhyFacts, 'page'>, { since, reason }: DeadLetter): string {
  const why = reason ?? 'every run died, and the log of daily-report says more';
  return `Its message lies among the dead letters since ${timeIn(facts, since)}: ${why}.`;
}

/** The page's message that was put aside, if there is one and it may be read. */
export function putAsideIn({ queues: { putAside } }: Pick<WhyFacts, 'queues'>): DeadLetter | null {
  return putAside === 'hidden' ? null : putAside;
}

/** The command that sends it to those who do not have it. */
export function sendToFailed(facts: Pick<WhyFacts, 'page'>): string[] {
  return [...makeAgain(facts), '--resend', '--failed'];
}

/** What the watch advises for its reason: what to do, and where to read on. */
export function adviceOf(reason: string): Pick<Verdict, 'toDo' | 'readOn'> {
  const { toDo, heading } = adviceFor(reason);
  const { document, heading: title } = HEADINGS[heading];
  return { toDo, readOn: `docs/${document}.md, "${title.replaceAll('`', '')}"` };
}

/** The most days or merchants that get a command each. */
export const MOST_COMMANDS = 3;

/** The commands that look at the first of these days or merchants. */
export function lookAtParts({ page }: Pick<WhyFacts, 'page'>, parts: readonly PartFacts[]): string[][] {
  const { owner, period } = page;
  return parts
    .slice(0, MOST_COMMANDS)
    .map(({ name }) =>
      owner.group === undefined ? ['why', owner.merchantCode, name] : ['why', name, period],
    );
}

/** The command that makes up for a merchant's days. */
export function backfillOf(merchantCode: string, from: Day, to: Day): string[] {
  return ['backfill', '--merchant', merchantCode, '--from', from, '--to', to];
}

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
export function whatComesNext(facts: WhyFacts, { ending }: Pick<Verdict, 'ending'>): string[] {
  const { page, clock, now } = facts;
  const of = ENDINGS[ending];
  const left = 'left' in of ? of.left : null;
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
