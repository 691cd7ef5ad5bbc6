import type { Ledger, LedgerEntry } from './ledger.ts';

/*
 * A ledger has one round for the mail, and one more for each `resend`. A round for all recipients replaces
 * what the rounds before it say. A partial round is for some recipients, and replaces what is said of these
 * only.
 */

/** The recipients of the current round (hashes), `null` when it is for all recipients. */
export function audienceOf(ledger: Ledger): ReadonlySet<string> | null {
  const part = ledger.partial?.find(({ round }) => round === ledger.round);
  return part === undefined ? null : new Set(part.to);
}

/**
 * The ledger with these recipients (hashes) for its current round, `null` for all recipients.
 *
 * @param former hashes of those who are not recipients any more. What earlier rounds say of them does not count
 * from this round on
 */
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

/** The recipients (hashes) who had left when the current round began. */
export function formerOf(ledger: Ledger): readonly string[] {
  return ledger.partial?.find(({ round }) => round === ledger.round)?.former ?? [];
}

/**
 * The state of the recipients after each of the given rounds, oldest first. After a partial round, these are
 * its entries and those of the recipients whom it was not for, without those who had left.
 */
export function statesByRound(
  ledger: Ledger,
  isMeant: (round: number) => boolean = () => true,
): LedgerEntry[][] {
  const former = new Map(ledger.partial?.map((part) => [part.round, new Set(part.former)]));
  const rounds = Map.groupBy(
    ledger.recipients.filter(({ round }) => isMeant(round)),
    ({ round }) => round,
  );
  let state = new Map<string, LedgerEntry>();
  return [...rounds]
    .sort(([one], [other]) => one - other)
    .map(([round, entries]) => {
      const left = former.get(round);
      const kept = left === undefined ? [] : [...state].filter(([to]) => !left.has(to));
      state = new Map([...kept, ...entries.map((entry) => [entry.to, entry] as const)]);
      return [...state.values()];
    });
}

/**
 * The present state of each recipient: the entries of the newest round for all recipients, with those of later
 * partial rounds in place of earlier ones. While a round for all recipients runs, these are its own entries.
 */
export function presentEntries(ledger: Ledger): LedgerEntry[] {
  const present = ledger.recipients.filter(({ round }) => round === ledger.round);
  if (audienceOf(ledger) === null) return present;
  return statesByRound(ledger, (round) => round <= ledger.round).at(-1) ?? [];
}

/** Whether a ledger has entries, and all of them are of partial rounds. */
export function hasOnlyPartialRounds({ recipients, partial = [] }: Ledger): boolean {
  const rounds = new Set(partial.map(({ round }) => round));
  return rounds.size > 0 && recipients.every(({ round }) => rounds.has(round));
}
