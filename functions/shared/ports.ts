import type { AlertState } from '#domain/alerts/alert-state.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { DataFile, Format, Manifest, Table } from '#domain/revision/manifest.ts';
import type { ListedObject } from '#functions/sweep/orphans.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { ToldDay } from '#functions/delivery-watch/told-day.ts';

/** What time it is, and waiting. Milliseconds since 1970 UTC. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A finished spool file on the local disk: gzip, with the hash (SHA-256, hex) and size of what is on the disk. */
export interface SpooledFile {
  table: Table;
  format: Format;
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** How a day's last pull went; stands under `checked/…`. Times are ISO 8601 in UTC. */
export interface CheckRecord {
  merchantCode: string;
  day: Day;
  checkedAt: string;
  /** `null` where the pull failed. */
  pull: string | null;
  outcome: 'sealed' | 'unchanged' | 'failed';
  /** The newest sealed revision after this run, `null` where there is none. */
  revision: number | null;
  scheduledTime: string | null;
  /** The literal name of the error, for a failed pull. */
  error: string | null;
  /** When the service's figures were last known to be those of `revision`. */
  asOf: string | null;
}

/** The sealed days. */
export interface SnapshotStore {
  /** The newest sealed revision, `undefined` when the day has none. */
  newest(merchantCode: string, day: Day): Promise<Manifest | undefined>;
  /** One sealed revision, `undefined` when the number is free. */
  revision(merchantCode: string, day: Day, revision: number): Promise<Manifest | undefined>;
  /** Stores the pull's files under its own id and answers how the manifest names them. */
  upload(merchantCode: string, day: Day, pull: string, files: readonly SpooledFile[]): Promise<DataFile[]>;
  /** Puts the seal under its number unless that is taken, and answers whose manifest stands there now. */
  seal(manifest: Manifest): Promise<Manifest>;
  /**
   * The lines of a sealed JSON file, one row each, as text. It fails, at its end at the latest, where the file is not the
   * one that was sealed or has a row of another merchant or day: use what came only after that.
   */
  lines(file: DataFile): AsyncIterable<string>;
  /** Leaves word of a pull, unless what stands there is of a newer revision or a later pull. */
  recordCheck(record: CheckRecord): Promise<void>;
  lastCheck(merchantCode: string, day: Day): Promise<CheckRecord | undefined>;
}

/** What day it is for a merchant. */
export interface LocalDate {
  /** No later day can be sealed. */
  today: Day;
  /** IANA name. */
  timeZone: string;
}

/** The figures of a merchant's sealed days that were whole by then, as one small thing to read. */
export interface HistoryStore {
  /**
   * The days that are remembered, newest first. The day before `day` is looked up where it is not among them, and all
   * that are of use where nothing is remembered, or nothing that can be read.
   *
   * @param day the one that a history is wanted for
   */
  read(merchantCode: string, day: Day, at: LocalDate): Promise<DayFigures[]>;
  /**
   * Remembers a sealed day and those that its manifest knew of, unless newer revisions of them are remembered. Writes
   * nothing where nothing is new. A day so far is no measure for others, and is not remembered.
   *
   * @returns `false` when others wrote each time this one wanted to; the next run on the day makes up for it
   */
  record(manifest: Manifest, at: LocalDate): Promise<boolean>;
}

/** A ledger as read, with the version that an update must still find. */
export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/** What became of the mails of one revision, or of one alert check. The key is the ledger's in the data bucket. */
export interface LedgerStore {
  read(key: string): Promise<VersionedLedger | undefined>;
  /** Creates the ledger unless there is one; `undefined` when there was. */
  create(key: string, ledger: Ledger): Promise<VersionedLedger | undefined>;
  /** Replaces the version given; `undefined` when another one has come between. */
  update(key: string, ledger: Ledger, version: string): Promise<VersionedLedger | undefined>;
}

/** Which merchants' days are sealed, from listings alone. */
export interface SealedDays {
  /** The newest revision of each merchant that has the day. */
  newestRevisions(day: Day): Promise<Map<string, number>>;
  /** The merchants that have the day. */
  merchants(day: Day): Promise<Set<string>>;
}

/** A merchant's rule states as read, with the version that a write must still find. */
export interface VersionedAlertState {
  state: AlertState;
  version: string;
}

/** Where the rules of merchants stand. */
export interface AlertStateStore {
  /** `undefined` before the merchant's first check. */
  read(merchantCode: string): Promise<VersionedAlertState | undefined>;
  /**
   * Replaces that version; without one, creates the state unless there is one.
   *
   * @returns whether it was written: not when another writer has come between
   */
  write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean>;
}

/** Addresses that mail no longer goes to. */
export interface MailStops {
  /** Why mail to the address is stopped, `undefined` when it is not. */
  reason(addressHash: string): Promise<string | undefined>;
}

/** Why mail to an address is stopped. */
export interface MailStop {
  reason: string;
  /** When the mail service said so (ISO 8601, UTC). */
  at: string;
  /** The message that came back or was complained about. */
  messageId: string;
}

/** The stops, for whoever learns that an address must not be written to. */
export interface MailStopStore extends MailStops {
  /** Stops mail to the address unless it is stopped already, and answers whether it is this stop that stands there. */
  stop(addressHash: string, stop: MailStop): Promise<boolean>;
}

/** What ties SES's later events to a ledger. */
export interface MailTags {
  kind: string;
  merchant?: string;
  day?: Day;
  revision?: string;
  /** Names the alert check that the mail is of. */
  check?: string;
  recipient?: string;
}

/** One message for one recipient, as raw MIME. */
export interface OutgoingMail {
  to: string;
  raw: Uint8Array;
  tags: MailTags;
}

/**
 * How a call to the mail service ended. `refused`: it certainly was not taken (`throttled`: trying later may help).
 * `unknown`: it may or may not have been taken, so sending it again could send it twice.
 */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string }
  | { kind: 'refused'; throttled: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

/** Hands a message over, exactly one request a call. */
export interface MailSender {
  /** @param timeout milliseconds after which the outcome is `unknown` */
  send(mail: OutgoingMail, timeout: number): Promise<SendOutcome>;
}

/** Tells the people who run Daybook. */
export interface OpsNotices {
  /**
   * Tells ops once about this thing, whatever the number of runs that notice it. Never throws for a failed telling.
   *
   * @param only the ways to use, as {@link heardBy} names them; left out, all
   * @returns `false` when every way to them failed, so that they know nothing of it
   */
  tellOnce(about: string, subject: string, text: string, only?: readonly string[]): Promise<boolean>;
  /** By which ways ops were told about this thing: hashes of addresses, and `topic`. Empty where that is not known. */
  heardBy(about: string): Promise<string[]>;
  /** Whether ops were told about this thing; `false` also where that cannot be looked up. */
  wasTold(about: string): Promise<boolean>;
  /** Notes that ops were told about this thing by a notice of another name. Never throws: they may then hear it again. */
  noteTold(about: string): Promise<void>;
}

/** What `delivery-watch` has told ops, day by day. */
export interface ToldDays {
  /** What was told of a day; nothing, where that is not known. */
  read(day: Day): Promise<ToldDay>;
  /** Changes what was told, on whatever another run has written meanwhile. */
  change(day: Day, change: (before: ToldDay) => ToldDay): Promise<void>;
}

/** Sees to it that of many runs that want to tell the same at once, one does. */
export interface TellingClaims {
  /**
   * Claims the telling of something for a moment. Who dies before it has told leaves a claim that runs out.
   *
   * @param now milliseconds UTC
   * @returns whether the caller is to tell; not when another run has begun to
   */
  claim(about: string, now: number): Promise<boolean>;
}

/** The registry as it serves now, and what is wrong with the one in S3 when that is not it. */
export interface RegistrySource {
  load(): Promise<{ registry: Registry; alarm: string | null }>;
  /**
   * Remembers the registry just loaded as good, for when a later one is not.
   *
   * @returns false where it serves now and could not serve then, so that the one before stays
   */
  accept(): Promise<boolean>;
}

/** The objects of the bucket whatever they are, for whoever tidies up. */
export interface StoredObjects {
  /** All whose key begins so. */
  under(prefix: string): Promise<ListedObject[]>;
  /** What stands between that prefix and the next slash, each with both, such as `invoices/json/day=2026-11-20/`. */
  foldersUnder(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}

/** One merchant and its days of a tick. */
export interface PlanItem {
  merchantCode: string;
  days: Day[];
  send: boolean;
  scheduledTime: string | null;
}

/** The newest tick so far, as it is remembered, or what stands in its place. */
export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** What stands there cannot be read. */
  | { is: 'spoilt'; key: string; reason: string };

/** The round of a tick whose execution has not said yet that it ended. Times are ISO 8601 in UTC. */
export interface OpenRound {
  itemsKey: string;
  /** When the items were first handed out, and when last. */
  openedAt: string;
  handedOutAt: string;
  /** Key of the items that they were last handed out among: its own, or those of a later tick. */
  handedOutBy: string;
}

/** The open rounds, oldest first, and the keys of what stands among them and cannot be read. */
export interface OpenRounds {
  rounds: OpenRound[];
  spoilt: { key: string; reason: string }[];
}

/** What `plan` keeps between ticks, and the items that it hands to the fan-out. */
export interface PlanStore {
  lastTick(kind: 'daily' | 'alert'): Promise<LastTick>;
  rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void>;
  openRounds(): Promise<OpenRounds>;
  /** Opens a round, or notes that it was handed out again. */
  openRound(round: OpenRound): Promise<void>;
  /** Closes it whether it was open or not. */
  closeRound(itemsKey: string): Promise<void>;
  /** Those that are wanted. @throws {StoredObjectError} when they are not there, not items, or far too many */
  items(itemsKey: string, isWanted: (item: PlanItem) => boolean): Promise<PlanItem[]>;
  /** Writes the items as a JSON array and answers their key. */
  writeItems(name: string, items: readonly PlanItem[]): Promise<string>;
  /**
   * The items that a round of the fan-out did not finish, by the key of the manifest of its results.
   *
   * @param planned how many items the round had; left out where nobody knows
   * @throws {RoundResultsError} when the results do not tell of so many
   */
  unfinishedItems(manifestKey: string, planned: number | undefined): Promise<PlanItem[]>;
}
