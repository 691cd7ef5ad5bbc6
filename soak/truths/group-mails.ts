import { addressHash } from '#records/storage/keys.ts';
import type { BrokenPromise, Evidence } from './evidence.ts';
import { ledgerOfPeriod, periodName } from './evidence.ts';
import { mayHaveIt } from './report-mails.ts';

/** The group of a run. */
export interface SoakGroup {
  name: string;
  /** The codes of its merchants. */
  codes: readonly string[];
  recipients: readonly string[];
  /** The days whose pages were due. */
  days: readonly string[];
}

/** Each day of the group has one page, and each of its recipients has the mail of it, and nobody else. */
export function groupMails(
  evidence: Evidence,
  { name, recipients, days }: SoakGroup,
  stopped: ReadonlySet<string>,
): BrokenPromise[] {
  const owner = { group: name };
  const missing = days.flatMap((day) =>
    evidence.pages.has(periodName(owner, day)) ? [] : [`${day} was due and is missing`],
  );
  const everybody = recipients.map(addressHash);
  const faults = [...evidence.pages.values()].flatMap((revisions) =>
    revisions.flatMap((page) => {
      const { period, revision } = page;
      const ledger = ledgerOfPeriod(evidence, owner, page);
      const has = new Set(ledger?.recipients.filter(mayHaveIt).map(({ to }) => to));
      return [
        ...(revision === 1 ? [] : [`${period} was made again, and nobody asked for it`]),
        ...(everybody.every((to) => has.has(to) || stopped.has(to))
          ? []
          : [`${period} was not mailed to everybody`]),
        ...([...has].every((to) => everybody.includes(to)) ? [] : [`${period} was mailed to somebody else`]),
      ];
    }),
  );
  return [...missing, ...faults].map((what) => ({ what: `the page of ${name}, ${what}` }));
}
