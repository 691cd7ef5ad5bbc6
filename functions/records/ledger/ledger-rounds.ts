import type { Ledger, LedgerEntry, RecipientStatus } from './ledger.ts';

/**
 * One round for the mail, one for each `resend`. A round for all replaces what earlier ones say; a partial
 * one only what is said of its recipients.
 */

function currentPart({ partial, round }: Ledger) {
  return partial?.find((part) => part.round === round);
}

/** Recipients of the current round (hashes); `null` when it is for all. */
export function audienceOf(ledger: Ledger): ReadonlySet<string> | null {
  const part = currentPart(ledger);
  return part === undefined ? null : new Set(part.to);
}

/** @param to hashes, `null` for all @param former hashes of those who left: earlier rounds count no more */
export function withAudience(
  ledger: Ledger,
  to: Iterable<string> | null,
  former: Iterable<string> = [],
): Ledger {
  const { partial = [], round, ...rest } = ledger;
  const others = partial.filter((other) => other.round !== round);
  const left = [...new Set(former)];
  const part = to === null ? [] : [{ round, to: [...new Set(to)], ...(left.length > 0 && { former: left }) }];
  const all = [...others, ...part];
  return { ...rest, round, ...(all.length > 0 && { partial: all }) };
}

/** Hashes of those who had left when the round began. */
export function formerOf(ledger: Ledger): readonly string[] {
  return currentPart(ledger)?.former ?? [];
}

/** States after each round before one, the oldest first. After a partial one: its entries, and those of the others. */
export function statesByRound(ledger: Ledger, before = Infinity): LedgerEntry[][] {
  const former = new Map(ledger.partial?.map((part) => [part.round, new Set(part.former)]));
  let state = new Map<string, LedgerEntry>();
  return [...Map.groupBy(ledger.recipients, ({ round }) => round)]
    .filter(([round]) => round < before)
    .sort(([one], [other]) => one - other)
    .map(([round, entries]) => {
      const left = former.get(round);
      const kept = left === undefined ? [] : [...state].filter(([to]) => !left.has(to));
      state = new Map([...kept, ...entries.map((entry) => [entry.to, entry] as const)]);
      return [...state.values()];
    });
}

/** Entries of the newest round for all, with later partial rounds in place; while one for all runs, its own. */
export function presentEntries(ledger: Ledger): LedgerEntry[] {
  if (currentPart(ledger) === undefined) return presentRound(ledger);
  return statesByRound(ledger).at(-1) ?? [];
}

/** Whether there are entries, all of partial rounds. */
export function hasOnlyPartialRounds({ recipients, partial = [] }: Ledger): boolean {
  const rounds = new Set(partial.map(({ round }) => round));
  return rounds.size > 0 && recipients.every(({ round }) => rounds.has(round));
}

export function presentRound(ledger: Ledger): LedgerEntry[] {
  return ledger.recipients.filter((entry) => entry.round === ledger.round);
}

/** Recipients of the current round, except those who certainly have no mail. */
export function finishedRecipients(ledger: Ledger): Set<string> {
  const finished = presentRound(ledger).filter((entry) => entry.status !== 'failed');
  return new Set(finished.map((entry) => entry.to));
}

export function withEntry(ledger: Ledger, entry: Omit<LedgerEntry, 'round'>): Ledger {
  const { recipients, round } = ledger;
  const present = { ...entry, round };
  const place = recipients.findIndex((other) => other.to === entry.to && other.round === round);
  return { ...ledger, recipients: place === -1 ? [...recipients, present] : recipients.with(place, present) };
}

/** A stopped writer's unfinished entries become `held`: a person decides. @param at ISO 8601, UTC */
export function withUnsettledHeld(ledger: Ledger, at: string): Ledger {
  return {
    ...ledger,
    recipients: ledger.recipients.map((entry) =>
      entry.status === 'intended'
        ? { ...entry, status: 'held', at, reason: entry.reason ?? 'it is not known whether it was sent' }
        : entry,
    ),
  };
}

/** They certainly have no mail at present; the next run tries them again. */
export function refusedRecipients(ledger: Ledger): LedgerEntry[] {
  return presentEntries(ledger).filter((entry) => entry.status === 'failed');
}

/** Who certainly has no mail becomes `skipped`: no run tries again. @param at ISO 8601, UTC */
export function withRefusedSkipped(
  ledger: Ledger,
  reason: string,
  at: string,
  isMeant: (to: string) => boolean = () => true,
): Ledger {
  const meant = new Set(refusedRecipients(ledger).filter(({ to }) => isMeant(to)));
  return {
    ...ledger,
    recipients: ledger.recipients.map((entry) =>
      meant.has(entry) ? { ...entry, status: 'skipped', at, reason } : entry,
    ),
  };
}

/**
 * Former recipients without mail become `skipped`, so removing a refused address settles the mail.
 * @param recipients hashes
 * @param at ISO 8601, UTC
 */
export function withFormerRecipientsSkipped(
  ledger: Ledger,
  recipients: { has: (to: string) => boolean },
  at: string,
): Ledger {
  return withRefusedSkipped(ledger, 'is not a recipient any more', at, (to) => !recipients.has(to));
}

const PERHAPS_RECEIVED: ReadonlySet<RecipientStatus> = new Set([
  'intended',
  'accepted',
  'delivered',
  'complained',
  'held',
]);

/** Whether somebody has the mail, or may: a later mail must be compared with it. */
export function perhapsReceived(ledger: Ledger): boolean {
  return ledger.recipients.some((entry) => PERHAPS_RECEIVED.has(entry.status));
}

/* A `resend` is a round of its own: its result adds to earlier rounds and takes nothing back. */

// A state that needs a person comes first: a mail that arrived does not hide one that did not.
const BY_URGENCY: readonly RecipientStatus[] = [
  'held',
  'failed',
  'complained',
  'bounced',
  'intended',
  'accepted',
  'delivered',
  'skipped',
];

function mostUrgent(statuses: readonly RecipientStatus[]): RecipientStatus {
  return BY_URGENCY.find((status) => statuses.includes(status)) ?? 'skipped';
}

export function isReceived(status: RecipientStatus): status is 'accepted' | 'delivered' {
  return status === 'accepted' || status === 'delivered';
}

/** How certain it is that the recipient of an entry has the mail. */
function receipt({ status }: LedgerEntry): number {
  if (status === 'delivered') return 2;
  return status === 'accepted' ? 1 : 0;
}

/** Each recipient's entry that shows the mail arrived, or else the newest. */
export function decisiveEntries(ledger: Ledger): Map<string, LedgerEntry> {
  const standing = new Map<string, LedgerEntry>();
  for (const entry of [...ledger.recipients].sort((one, other) => one.round - other.round)) {
    const known = standing.get(entry.to);
    if (known === undefined || receipt(entry) >= receipt(known)) standing.set(entry.to, entry);
  }
  return standing;
}

/** Entries of the present state, and those of earlier rounds that have the mail: a later stop takes nothing back. */
export function recipientStates(ledger: Ledger): LedgerEntry[] {
  const present = new Set(presentEntries(ledger).map(({ to }) => to));
  return [...decisiveEntries(ledger).values()].filter(
    ({ to, status }) => present.has(to) || isReceived(status),
  );
}

/** Results by round, the oldest first. Who got the mail in that round or an earlier one has it. */
function statusesOf(ledger: Ledger, before = Infinity): RecipientStatus[] {
  const best = new Map<string, LedgerEntry>();
  const statusOf = (entry: LedgerEntry): RecipientStatus => {
    const known = best.get(entry.to) ?? entry;
    const better = receipt(entry) >= receipt(known) ? entry : known;
    best.set(entry.to, better);
    return better.status;
  };
  return statesByRound(ledger, before).map((entries) => mostUrgent(entries.map(statusOf)));
}

/** Received as soon as all have the mail after any round; else the newest round's result. */
export function settledStatus(ledger: Ledger): RecipientStatus {
  const statuses = statusesOf(ledger);
  return statuses.findLast(isReceived) ?? statuses.findLast((status) => status !== 'skipped') ?? 'skipped';
}

export function roundStatus(ledger: Ledger): RecipientStatus {
  return mostUrgent(presentRound(ledger).map(({ status }) => status));
}

/** The status of an earlier round that reached all of its recipients, if one did. */
export function receivedBefore(ledger: Ledger): 'accepted' | 'delivered' | undefined {
  return statusesOf(ledger, ledger.round).findLast(isReceived);
}

export function wasReceivedBefore(ledger: Ledger): boolean {
  return receivedBefore(ledger) !== undefined;
}

/** Whether the mail was not to be sent by itself, whatever a `resend` did later. */
export function hadNothingToSend(ledger: Ledger): boolean {
  if ((ledger.nothingToSend ?? null) !== null) return true;
  return ledger.status === 'skipped' && ledger.recipients.length === 0;
}

export const NEVER_BEGUN = 'the run that was to write to it did not finish';

export const WRITER_GONE = 'the run that wrote it did not finish';

/** Whether a writer will not finish. @param before milliseconds UTC; one whose time ended earlier is dead */
export function isAbandoned(ledger: Ledger, before: number): boolean {
  return ledger.status === 'intended' && Date.parse(ledger.until) < before;
}

/**
 * The closed ledger of a dead writer. Begun entries become `held`: the mail may have been sent. Recipients
 * not begun become `failed`, and the next run sends it.
 * @param recipients hashes; `undefined`: unknown, and the ledger itself is `held`
 * @param at ISO 8601, UTC
 */
export function withWriterGone(ledger: Ledger, recipients: Iterable<string> | undefined, at: string): Ledger {
  // The ledger names the recipients of a partial round.
  const known = audienceOf(ledger) ?? recipients;
  const whole = withNeverBegunFailed(withUnsettledHeld(ledger, at), known ?? [], at);
  // There may be other recipients, or none is known: a person must look.
  const isOpen = known === undefined || presentRound(whole).length === 0;
  const status = isOpen && !wasReceivedBefore(whole) ? 'held' : settledStatus(whole);
  return { ...whole, status, reason: WRITER_GONE };
}

/**
 * Adds recipients that the writer had not begun as `failed`, so that the round does not look complete.
 * @param recipients hashes
 * @param at ISO 8601, UTC
 */
export function withNeverBegunFailed(ledger: Ledger, recipients: Iterable<string>, at: string): Ledger {
  const begun = new Set(presentRound(ledger).map(({ to }) => to));
  return [...new Set(recipients)]
    .filter((to) => !begun.has(to))
    .reduce(
      (known, to) => withEntry(known, { to, status: 'failed', messageId: null, at, reason: NEVER_BEGUN }),
      ledger,
    );
}

/**
 * The later revision had nothing to send by itself, and a person sent it to some: its rounds say what became
 * of those recipients, the earlier ledger of the others.
 * @param later has partial rounds only
 */
export function continuedBy(earlier: Ledger, later: Ledger): Ledger {
  // The first round of the later ledger has no entries.
  const moved = <T extends { round: number }>(of: T): T => ({ ...of, round: of.round + earlier.round - 1 });
  const both: Ledger = {
    ...earlier,
    until: later.until,
    round: moved(later).round,
    partial: [...(earlier.partial ?? []), ...(later.partial ?? []).map(moved)],
    recipients: [...earlier.recipients, ...later.recipients.map(moved)],
  };
  return { ...both, status: later.status === 'intended' ? 'intended' : settledStatus(both) };
}

/** By what a second attempt may do about it. */
export interface Lacking {
  lacking: string[];
  having: number;
  /** Marked it as unwanted, and do not get it again. */
  complained: number;
  /** May have got it a moment ago, from a run that died. */
  perhaps: number;
}

/** Who lacks a mail. @param ledger over all its rounds @param recipients hashes of the present recipients */
export function lackingMail(ledger: Ledger, recipients: Iterable<string>): Lacking {
  const standing = decisiveEntries(ledger);
  const complained = new Set(
    ledger.recipients.filter(({ status }) => status === 'complained').map(({ to }) => to),
  );
  const found: Lacking = { lacking: [], having: 0, complained: 0, perhaps: 0 };
  for (const to of recipients) {
    const status = standing.get(to)?.status;
    // A recipient who joined after the mail has no entry. A mail that was not to be sent lacks nobody.
    if (status === undefined && hadNothingToSend(ledger)) continue;
    if (complained.has(to)) found.complained += 1;
    else if (status !== undefined && isReceived(status)) found.having += 1;
    else if (status === 'intended') found.perhaps += 1;
    else found.lacking.push(to);
  }
  return found;
}
