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

/**
 * Entries of the newest round for all, with those of later partial rounds in place; while one for all runs,
 * its own.
 */
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
