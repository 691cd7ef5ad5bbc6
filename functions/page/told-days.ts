import pLimit from 'p-limit';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import type { FollowedDay } from '#records/figures/history.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { figuresOf, soFarUntil, type Manifest } from '#records/revision/manifest.ts';
import { olderDays, type Older, type Told, type ToldState } from '#records/revision/told.ts';
import { merchantDay, pageLedgerKey } from '#records/storage/keys.ts';
import { hadNothingToSend, perhapsReceived } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { LedgerStore } from '#mail/ledger-store.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { KnownHistory } from './history-store.ts';
import { sameFigures, TOLD_NEXT } from './mail-decision.ts';
import { unlessSpoilt } from './page-store.ts';
import { wholeDays, type DayStore } from './day-store.ts';

export interface ToldPorts {
  snapshots: Pick<DayStore, 'revision' | 'newest' | 'newestNumber'>;
  ledgers: Pick<LedgerStore, 'read'>;
}

/** An hourly run for two weeks makes so many revisions of a day. */
const MOST_REVISIONS = 400;
/** Of a report. What it leaves out, the next one tells. */
const MOST_TOLD = 100;
/** Days after the last ones that are accounted for: their runs may have died before the history had them. */
const MOST_LOOKED_UP = 14;
const MOST_READS_AT_ONCE = 8;
/** Milliseconds. A revision's own run may still be tried again. */
const OWN_MAIL_FIRST = 12 * 60 * 60 * 1_000;

interface Merchant {
  merchantCode: string;
  timeZone: string;
}

type SealedDay = Pick<FollowedDay, 'day' | 'revision' | 'told'>;

interface MailsOfDay {
  /** The newest revision that was mailed itself, `null` for none. */
  own: number | null;
  /** Of earlier days. `undefined` when no report counts. */
  told: SealedDay['told'];
  /** Whether a run may be about to mail the report. */
  isAtWork: boolean;
  /** The ledger of the newest revision. */
  newest: Ledger | undefined;
}

/** Reads what is stored of mails, and nothing else: what it finds out, the history keeps. */
class ToldDays {
  readonly #ports: ToldPorts;
  readonly #merchant: Merchant;
  readonly #now: number;

  constructor(ports: ToldPorts, merchant: Merchant, now: number) {
    this.#ports = ports;
    this.#merchant = merchant;
    this.#now = now;
  }

  get today(): Day {
    return dayAt(this.#now, this.#merchant.timeZone);
  }

  /** `undefined` when there is none, or it is spoilt. */
  manifest(day: Day, revision: number): Promise<Manifest | undefined> {
    const place = { ...merchantDay(this.#merchant.merchantCode, day), revision };
    return unlessSpoilt(() => this.#ports.snapshots.revision(place));
  }

  /** Likewise. */
  async ledger(day: Day, revision: number): Promise<Ledger | undefined> {
    const key = pageLedgerKey({ ...merchantDay(this.#merchant.merchantCode, day), revision });
    return (await unlessSpoilt(() => this.#ports.ledgers.read(key)))?.ledger;
  }

  isSoFar(manifest: Manifest): boolean {
    return soFarUntil(manifest, this.#merchant.timeZone) !== null;
  }

  isAtWork({ status, until }: Ledger): boolean {
    return status === 'intended' && Date.parse(until) > this.#now;
  }

  /** A mail about the unfinished day is not the day's report. @param above looks at later revisions only */
  async mailsOf({ day, revision: newest, told }: SealedDay, above = 0): Promise<MailsOfDay> {
    const found: MailsOfDay = { own: null, told: undefined, isAtWork: false, newest: undefined };
    for (let revision = newest; revision > Math.max(above, newest - MOST_REVISIONS); revision -= 1) {
      const ledger = await this.ledger(day, revision);
      if (revision === newest) found.newest = ledger;
      if (ledger === undefined) continue;
      if (!perhapsReceived(ledger)) {
        found.isAtWork ||= this.isAtWork(ledger);
        continue;
      }
      if (revision < newest || told === undefined) {
        const sealed = await this.manifest(day, revision);
        if (sealed !== undefined && this.isSoFar(sealed)) return found;
        found.own ??= revision;
        if (ledger.kind !== 'report') continue;
        return { ...found, told: ledger.tells === false ? undefined : (sealed?.told ?? []) };
      }
      found.own = revision;
      if (ledger.kind === 'report') return { ...found, told: ledger.tells === false ? undefined : told };
    }
    return found;
  }

  /** The sealed days after one and before another, the oldest first, also those that the history lacks. */
  async between(days: readonly SealedDay[], after: Day | null, before: Day): Promise<SealedDay[]> {
    const known = days.filter(({ day }) => day < before && (after === null || day > after));
    const lacking: Day[] = [];
    const first = after ?? known.reduce((oldest, { day }) => (day < oldest ? day : oldest), before);
    for (let day = addDays(before, -1); day > first; day = addDays(day, -1)) {
      if (lacking.length === MOST_LOOKED_UP) break;
      if (!known.some((one) => one.day === day)) lacking.push(day);
    }
    const found = await wholeDays(this.#ports.snapshots, this.#merchant, lacking);
    return [...known, ...found].sort((one, other) => (one.day < other.day ? -1 : 1));
  }

  /** Whether no later day is sealed: before the merchant's today all days are whole. */
  async isNewest(day: Day, known: readonly SealedDay[]): Promise<boolean> {
    if (known.some((other) => other.day > day)) return false;
    return (await this.between(known, day, this.today)).length === 0;
  }

  newestNumber(day: Day): Promise<number | undefined> {
    return this.#ports.snapshots.newestNumber(merchantDay(this.#merchant.merchantCode, day));
  }
}

type Known = ToldState['days'][number];

/** What is known of mails, and what a report that is about to be sealed adds to it. */
interface Account {
  days: Map<Day, Known>;
  until: Day | null;
  reported: Day | null;
  /** Days that another report, which is being mailed, may tell. */
  isBeingTold: Set<Day>;
}

/** Adds what the mails of the days after the last look told. */
async function accountOf(
  told: ToldDays,
  history: Pick<KnownHistory, 'days' | 'told'>,
  before: Day,
): Promise<Account> {
  const { told: state } = history;
  const account: Account = {
    days: new Map(state?.days.map((one) => [one.day, one])),
    until: state?.until ?? null,
    reported: state?.reported ?? null,
    isBeingTold: new Set(),
  };
  const days = await told.between(history.days, account.until, before);
  const mails = await pLimit(MOST_READS_AT_ONCE).map(days, async (day) => ({
    day,
    mails: await told.mailsOf(day),
  }));
  const isBlocked = mails.findIndex(({ mails: { isAtWork } }) => isAtWork);
  for (const { day, mails: found } of mails) {
    account.days.set(day.day, { day: day.day, seen: day.revision, told: found.own });
    for (const { day: older, to } of found.told ?? []) {
      const known = account.days.get(older);
      const seen = Math.max(known?.seen ?? to, to);
      account.days.set(older, { day: older, seen, told: Math.max(known?.told ?? to, to) });
    }
    if (found.told !== undefined) account.reported = day.day;
    if (found.isAtWork) for (const { day: older } of day.told ?? []) account.isBeingTold.add(older);
  }
  // A report that may be mailed just now is looked at again by the next one.
  const { day: blocked } = mails[isBlocked]?.day ?? {};
  account.until = blocked === undefined ? addDays(before, -1) : addDays(blocked, -1);
  return account;
}

/** What a day's page seals of older days, and what the history keeps of mails. */
export interface Telling {
  told: Told[];
  older: Older | null;
  /** `undefined` when nobody has looked. */
  accounted?: ToldState;
}

export const NOTHING_TOLD: Telling = { told: [], older: null };

type Settings = Pick<
  MerchantSettings,
  'merchantCode' | 'timeZone' | 'recipients' | 'corrections' | 'followFor' | 'currency'
>;

/**
 * What the report of a day tells of older days: each one whose newest revision nobody was told of. Only the merchant's newest
 * day tells. What is told is known by the ledgers of mails: a report that nobody has told nothing.
 * @param standing the newest revision of the day itself @param now milliseconds UTC
 */
export async function tellingOf(
  ports: ToldPorts,
  settings: Settings,
  page: { day: Day; standing: Manifest | undefined; history: KnownHistory; now: number },
): Promise<Telling> {
  const { day, standing, history, now } = page;
  const told = new ToldDays(ports, settings, now);
  if (settings.recipients.length === 0 || !(await told.isNewest(day, history.days))) return NOTHING_TOLD;
  // What changes on a day whose report went out is told by another one.
  if (standing !== undefined && (await told.mailsOf(standing)).told !== undefined) return NOTHING_TOLD;
  const account = await accountOf(told, history, day);
  const isInMorning = settings.corrections === 'morning';
  const looked = await pLimit(MOST_READS_AT_ONCE).map(
    history.days.filter((known) => known.day < day),
    (known) => look(told, account, known, { now, isInMorning }),
  );
  const tells = looked.flatMap(({ tells: one }) => one ?? []).slice(0, MOST_TOLD);
  const reported = account.reported ?? addDays(day, -1);
  return {
    told: tells,
    older: isInMorning ? olderDays(history.days, { ...settings, day, reported }) : null,
    accounted: {
      until: account.until ?? addDays(day, -1),
      reported: account.reported,
      days: looked.flatMap(({ known }) => known ?? []),
    },
  };
}

interface Looked {
  known?: Known;
  tells?: Told;
}

/** Whether a day's newest revision is to be told. Nothing is read of a day that is as it was told. */
async function look(
  told: ToldDays,
  account: Account,
  { day, revision }: FollowedDay,
  { now, isInMorning }: { now: number; isInMorning: boolean },
): Promise<Looked> {
  const known = account.days.get(day);
  const last = known?.told ?? null;
  if (known !== undefined && (last === null ? known.seen : last) >= revision) return { known };
  // Its own mails since then.
  const { own, isAtWork, newest: ledger } = await told.mailsOf({ day, revision }, last ?? 0);
  const from = Math.max(own ?? 0, last ?? 0);
  const seen = { day, seen: revision };
  if (from === 0) return { known: { ...seen, told: null } };
  if (from >= revision || !isInMorning) return { known: { ...seen, told: revision } };
  const standing = { ...seen, told: from };
  if (isAtWork || account.isBeingTold.has(day)) return { known: standing };
  const tells = { day, from, to: revision };
  if (ledger?.nothingToSend === TOLD_NEXT) return { known: standing, tells };
  const [before, after] = await Promise.all([told.manifest(day, from), told.manifest(day, revision)]);
  if (before === undefined || after === undefined) return { known: standing, tells };
  const isSettled = ledger !== undefined && hadNothingToSend(ledger);
  if (!isSettled && now - Date.parse(after.pulledAt) < OWN_MAIL_FIRST) return { known: standing };
  if (!isSettled || !showTheSame(before, after)) return { known: standing, tells };
  return { known: { ...seen, told: revision } };
}

function showTheSame(one: Manifest, other: Manifest): boolean {
  return sameFigures(figuresOf(one), figuresOf(other)) && isSameJson(one.received, other.received);
}

/**
 * The revision of a day that recipients were told last, by a mail of its own or by a later report.
 * @param own the newest revision that was mailed itself
 */
export async function toldLast(
  ports: ToldPorts,
  settings: Merchant,
  page: { day: Day; own: number; history: KnownHistory; now: number },
): Promise<number> {
  const { day, own, history, now } = page;
  const told = new ToldDays(ports, settings, now);
  const { until = null, days = [] } = history.told ?? {};
  const known = days.find((one) => one.day === day)?.told ?? 0;
  const after = until === null || until < day ? day : until;
  const later = await told.between(history.days, after, told.today);
  const mails = await pLimit(MOST_READS_AT_ONCE).map(later, async (one) => {
    const mayTell = one.revision > 1 || one.told === undefined || one.told.some((each) => each.day === day);
    return mayTell ? ((await told.mailsOf(one)).told ?? []) : [];
  });
  const toldLater = mails.flat().flatMap((each) => (each.day === day ? [each.to] : []));
  return Math.max(own, known, ...toldLater);
}

/**
 * Whether a report that was sealed by an earlier run still tells of older days: not once a later day is sealed, whose report
 * tells the same, nor once one of them has a newer revision.
 */
export async function stillTells(
  ports: ToldPorts,
  settings: Merchant,
  { day, told: tells, older }: Pick<Manifest, 'day' | 'told' | 'older'>,
  { days, now }: { days: readonly FollowedDay[]; now: number },
): Promise<boolean> {
  if (tells.length === 0 && older === null) return true;
  const told = new ToldDays(ports, settings, now);
  if (!(await told.isNewest(day, days))) return false;
  const newest = await pLimit(MOST_READS_AT_ONCE).map(tells, (one) => told.newestNumber(one.day));
  return tells.every(({ to }, index) => (newest[index] ?? to) <= to);
}
