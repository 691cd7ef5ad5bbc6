import { addressHash } from '#records/storage/keys.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';
import { sameFigures, TOLD_NEXT } from '#page/mail-decision.ts';
import { figuresOf, type Manifest } from '#records/revision/manifest.ts';
import type { Told } from '#records/revision/told.ts';
import type { SentMail } from '#sandbox/aws/index.ts';
import { ledgerOf, type BrokenPromise, type Evidence } from './evidence.ts';

export interface Readers {
  /** The recipients during the whole time between two moments, milliseconds UTC. */
  throughout: (from: number, to: number) => readonly string[];
  /** Everybody who was ever a recipient. */
  ever: readonly string[];
  /** The first day whose reports are mailed. */
  reportFrom: string;
  /** Hashes of addresses to which mail was stopped at some time. */
  stopped: ReadonlySet<string>;
}

interface MailedDay {
  manifests: readonly Manifest[];
  /** By revision. A revision without a ledger is an error of its own. */
  ledgers: readonly (Ledger | undefined)[];
  mails: readonly SentMail[];
  /** The revisions that mailed reports of later days told, the oldest report first. */
  told: readonly Told[];
  /** When the newest report of a later day was sealed, ISO 8601 in UTC; `''` for none. */
  newestReport: string;
}

/** What reports of later days say of a day. */
function toldLater(
  evidence: Evidence,
  { merchantCode, day }: Manifest,
): Pick<MailedDay, 'told' | 'newestReport'> {
  const mailed = [...evidence.days.values()].flat().filter((manifest) => {
    if (manifest.merchantCode !== merchantCode || manifest.day <= day) return false;
    const ledger = ledgerOf(evidence, manifest);
    return ledger?.kind === 'report' && ledger.tells !== false && ledger.recipients.some(mayHaveIt);
  });
  const inOrder = mailed.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  return {
    told: inOrder.flatMap((manifest) => manifest.told.filter((one) => one.day === day)),
    newestReport: inOrder.reduce((newest, { pulledAt }) => (pulledAt > newest ? pulledAt : newest), ''),
  };
}

/** Each report begins where the one before it ended: no change is told twice. */
function toldFaults({ told }: MailedDay): string[] {
  return told.flatMap(({ from, to }, index) => {
    const before = told[index - 1]?.to ?? 0;
    return from < before || to <= from ? [`was told twice, from ${from} to ${to}`] : [];
  });
}

function timesOf({ intendedAt, recipients }: Ledger): [number, number] {
  const times = [intendedAt, ...recipients.map(({ at }) => at)].map((time) => Date.parse(time));
  return [Math.min(...times), Math.max(...times)];
}

/** A ledger names nobody who never was a recipient of the merchant. */
export function strangerFaults(entries: readonly LedgerEntry[], { ever }: Readers): string[] {
  const everybody = new Set(ever.map(addressHash));
  return entries.flatMap(({ to }) => (everybody.has(to) ? [] : [`${to.slice(0, 8)}… never was a recipient`]));
}

/** Everybody who is to have the mail, with the last ledger by which he may have it. @param from milliseconds UTC */
export function lastMails(readers: Readers, from: number, mailed: readonly Ledger[]) {
  return readers
    .throughout(from, Number.MAX_SAFE_INTEGER)
    .filter((address) => !readers.stopped.has(addressHash(address)))
    .map((address) => {
      const to = addressHash(address);
      const last = mailed.findLast(({ recipients }) =>
        recipients.some((entry) => entry.to === to && mayHaveIt(entry)),
      );
      return { address, last };
    });
}

/** A ledger with recipients names everybody who was a recipient, and nobody else. */
function peopleFaults(ledger: Ledger, isNewest: boolean, readers: Readers): string[] {
  const present = presentRound(ledger);
  const faults = strangerFaults(present, readers);
  if (present.length === 0 || !isNewest) return faults;
  const written = new Set(present.map(({ to }) => to));
  const forgotten = readers
    .throughout(...timesOf(ledger))
    .filter((address) => !written.has(addressHash(address)));
  return [...faults, ...forgotten.map((address) => `${address} was forgotten`)];
}

/** Why a ledger must not be without recipients; `undefined` when its reason is true. */
function skipFault(
  { manifests, ledgers, told, newestReport }: MailedDay,
  place: number,
  { reportFrom }: Readers,
): string | undefined {
  const { reason, recipients, figures } = ledgers[place] ?? {};
  if (recipients === undefined || recipients.length > 0) return undefined;
  if (reason === 'no figure has changed since the last mail') {
    const before = ledgers.slice(0, place).findLast((ledger) => ledger?.recipients.some(mayHaveIt));
    const others = told.flatMap(({ to }) => (to <= place ? (ledgers[to - 1]?.figures ?? []) : []));
    const known = [...others, before?.figures ?? []].flat();
    const isTrue = Boolean(figures && known.some((one) => sameFigures(one, figures)));
    return isTrue ? undefined : 'says that no figure has changed since the last mail, but one has';
  }
  if (reason === TOLD_NEXT) {
    const isTold = told.some(({ to }) => to > place);
    const isMailed = ledgers.slice(place + 1).some((later) => later?.recipients.some(mayHaveIt));
    const isNext = (manifests[place]?.pulledAt ?? '') > newestReport;
    return isTold || isMailed || isNext ? undefined : 'was to be told in the next report, and was not';
  }
  if (reason === 'not asked for') {
    return (manifests[place]?.day ?? '') < reportFrom
      ? undefined
      : 'says that no mail was asked for, but one was';
  }
  if (reason === 'the day is empty') {
    return manifests[place]?.counts.total === 0 ? undefined : 'says that the day is empty, but it is not';
  }
  const newer = /^revision (\d+) came before it was mailed$/.exec(reason ?? '')?.[1];
  if (newer !== undefined)
    return Number(newer) > place + 1 ? undefined : `says that revision ${newer} came before`;
  return `is skipped for an unknown reason: ${String(reason)}`;
}

const TOLD: ReadonlySet<LedgerEntry['status']> = new Set([
  'accepted',
  'delivered',
  'bounced',
  'complained',
  'held',
]);

/** Whether a recipient has the mail, or may have it. */
export function mayHaveIt({ status }: LedgerEntry): boolean {
  return TOLD.has(status);
}

/**
 * The last mail to each recipient has the current figures. A person who became a recipient after the day's first mail gets
 * none before the figures change.
 */
function lastWordFaults({ manifests, ledgers, told }: MailedDay, readers: Readers): string[] {
  const newest = manifests.at(-1);
  // Another check makes sure that it is told.
  if (newest === undefined || ledgers.at(-1)?.reason === TOLD_NEXT) return [];
  const figuresTold = told.flatMap(({ to }) => ledgers[to - 1]?.figures ?? []);
  const isTold = figuresTold.some((figures) => sameFigures(figures, figuresOf(newest)));
  if (isTold) return [];
  const mailed = ledgers
    .filter((ledger) => ledger !== undefined)
    .filter(({ recipients }) => recipients.length > 0);
  const [first] = mailed;
  // An empty day needs no mail. Another check makes sure that this reason is true.
  if (first === undefined) return [];
  const [from] = timesOf(first);
  return lastMails(readers, from, mailed).flatMap(({ address, last }) => {
    if (last === undefined) return [`${address} got nothing`];
    if (last.figures !== null && sameFigures(last.figures, figuresOf(newest))) return [];
    return [`${address} last got figures that are no longer current`];
  });
}

/** Nobody gets an older revision after a newer one. */
function orderFaults({ mails }: MailedDay): string[] {
  const byReader = Map.groupBy(mails, ({ destinations }) => destinations.join());
  return [...byReader].flatMap(([reader, own]) => {
    const revisions = own.map(({ tags }) => Number(tags['revision']));
    const isInOrder = revisions.every((revision, index) => revision >= (revisions[index - 1] ?? 0));
    return isInOrder ? [] : [`${reader} got the revisions ${revisions.join(', ')} in this order`];
  });
}

/** The mails of a merchant's day and their recipients are those that its revisions require. */
export function reportMails(
  evidence: Evidence,
  manifests: readonly Manifest[],
  mails: readonly SentMail[],
  readers: Readers,
): BrokenPromise[] {
  const ledgers = manifests.map((manifest) => ledgerOf(evidence, manifest));
  const [newest] = manifests.slice(-1);
  if (newest === undefined) return [];
  const day: MailedDay = { manifests, ledgers, mails, ...toldLater(evidence, newest) };
  const faults = ledgers.flatMap((ledger, place) => {
    const isNewest = place === ledgers.length - 1;
    const own =
      ledger === undefined
        ? ['has no ledger']
        : [
            ...peopleFaults(ledger, isNewest, readers),
            ...[skipFault(day, place, readers)].filter((fault) => fault !== undefined),
            ...(isNewest && presentRound(ledger).some(({ status }) => status === 'failed')
              ? ['was not mailed to everybody']
              : []),
          ];
    return own.map((what) => `revision ${place + 1} ${what}`);
  });
  const all = [...faults, ...toldFaults(day), ...lastWordFaults(day, readers), ...orderFaults(day)];
  return all.map((what) => ({ merchantCode: newest.merchantCode, day: newest.day, what }));
}
