import { addDays, dayAt, instantOf } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf, merchantDays, periodDays, possibleDays } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { SEEN_FOR } from '#runtime/queue-message.ts';
import type { StatementMessage } from '#runtime/queue-message.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { memoized } from '#registry/once.ts';
import type { OpenPage, OpenPeriod, StatementLook } from './open-periods.ts';

const HOUR = 60 * 60 * 1_000;

/**
 * Milliseconds. Days are listed some time before a statement is stored, and S3's clocks are not one clock: a
 * day stored up to this time before the statement may be missing in it.
 */
const MARGIN = SEEN_FOR + HOUR / 2;

/**
 * Milliseconds that a page waits after its deadline for due statements: those of its own tick are made
 * in no order. One that fails again and again does not stop the page.
 */
const LONGEST_WAIT = HOUR;

/**
 * Milliseconds after its deadline, or its seal, in which a statement without a ledger still gets its mail. Of
 * an older one the ledger was kept long enough, and its mail must not go out again.
 */
const LONGEST_WITHOUT_LEDGER = 7 * 24 * HOUR;

/** Times are milliseconds UTC. */
export interface Newest {
  revision: number;
  storedAt: number;
  /** When a statement was closed last. A later revision of a reopened one is open. */
  closedAt?: number | undefined;
}

/** What a listing has: the newest revision of each owner that is looked at. */
export type Revisions = ReadonlyMap<MerchantSettings | GroupSettings, Newest>;

const NONE: Newest = { revision: 0, storedAt: 0 };

/** Days of periods, and when days end: thousands of merchants share a few zones. */
export class Calendar {
  readonly #ends = new Map<string, number>();
  readonly #periods = new Map<string, readonly Day[]>();

  daysOf(period: Period, { weekStart }: MerchantSettings): readonly Day[] {
    return memoized(this.#periods, `${period} ${weekStart}`, () => daysOf(periodDays(period, weekStart)));
  }

  /** When a day is over in the merchant's zone, milliseconds UTC. */
  endOf(day: Day, { timeZone }: MerchantSettings): number {
    return memoized(this.#ends, `${day} ${timeZone}`, () => instantOf(addDays(day, 1), '00:00', timeZone));
  }
}

export interface Tick {
  /** Milliseconds UTC. */
  now: number;
  scheduledTime: string | null;
  /** `false`: nothing is mailed. */
  send: boolean;
  /** Milliseconds UTC. */
  lookedAt: number;
}

export interface DueStatements {
  statements: StatementMessage[];
  pages: StatementMessage[];
  toCompare: { merchant: MerchantSettings; revision: number }[];
  /** Of statements and pages that there are, or that may be issued. */
  looked: number;
}

export interface NamedDays extends PeriodDays {
  days: readonly { day: Day; revision: number }[];
}

/** What of a period is due. Pure: all it knows was listed before. */
export class PeriodDecision {
  /** Listed when {@link daysToList} says so. */
  days: ReadonlyMap<Day, Revisions> = new Map();
  readonly #open: OpenPeriod;
  readonly #possibleDays: readonly Day[];
  readonly #sealed: Revisions;
  readonly #ledgers: Revisions;
  readonly #tick: Tick;
  readonly #calendar: Calendar;

  constructor(open: OpenPeriod, sealed: Revisions, ledgers: Revisions, tick: Tick, calendar: Calendar) {
    this.#open = open;
    this.#possibleDays = possibleDays(open.period);
    this.#sealed = sealed;
    this.#ledgers = ledgers;
    this.#tick = tick;
    this.#calendar = calendar;
  }

  /** Those that it may have, if anything depends on them. */
  daysToList(): Day[] {
    const { period, kind, pages, statements } = this.#open;
    if (kind === 'day') return pages.some((page) => this.#mayWait(page)) ? [period] : [];
    const today = dayAt(this.#tick.now, 'UTC');
    const areSettled = [...statements].every(([merchant, look]) => this.#isSettled(merchant, look));
    return areSettled ? [] : this.#possibleDays.filter((day) => day <= today);
  }

  /** @param merchants all, in the order in which they are due */
  due(merchants: readonly MerchantSettings[]): DueStatements {
    const due: DueStatements = { statements: [], pages: [], toCompare: [], looked: 0 };
    const issued = new Set<MerchantSettings>();
    for (const merchant of merchants) {
      const look = this.#open.statements.get(merchant);
      if (look === undefined) continue;
      const { revision } = this.#sealed.get(merchant) ?? NONE;
      if (revision === 0 ? !look.isIssued : !isLookedAt(look)) continue;
      due.looked += 1;
      if (this.#isSettled(merchant, look)) continue;
      if (revision === 0 || this.#lacksMail(merchant, look)) {
        // A preview may have sealed it before its days were there.
        if (!this.#isIssued(merchant, look)) continue;
        if (revision === 0) issued.add(merchant);
        due.statements.push(this.item(merchant));
      } else if (this.#isOpen(merchant, look)) due.statements.push(this.item(merchant));
      else if (this.#mayHaveChanged(merchant, look)) due.toCompare.push({ merchant, revision });
    }
    for (const page of this.#open.pages) {
      const { settings } = page.owner;
      if (page.isIssued || this.#sealed.has(settings)) due.looked += 1;
      if (!this.#isPageDue(page, issued)) continue;
      const { send, scheduledTime } = this.#tick;
      due.pages.push({ group: settings.name, period: this.#open.period, send, scheduledTime });
    }
    return due;
  }

  /** @param named the days of the sealed statement; otherwise today's `weekStart` says them */
  item(merchant: MerchantSettings, named?: PeriodDays): StatementMessage {
    const { send, scheduledTime, lookedAt } = this.#tick;
    const { period, statements } = this.#open;
    const isMailed = send && statements.get(merchant)?.isMailed === true;
    const of = this.#daysOf(merchant, named);
    const { revisions } = this.#look(merchant, of);
    const [from = ''] = of;
    const seen = { at: new Date(lookedAt).toISOString(), from };
    const { merchantCode } = merchant;
    return { merchantCode, period, send: isMailed, scheduledTime, revisions, seen };
  }

  /**
   * Whether its days are newer than those it names. With a day that is gone after its time it stays as it is:
   * it could not be added up again.
   * @param named `undefined` when the statement cannot be read
   */
  hasChanged(merchant: MerchantSettings, named: NamedDays | undefined): boolean {
    const of = this.#daysOf(merchant, named);
    const { revisions } = this.#look(merchant, of);
    const known = new Map(named?.days.map(({ day, revision }) => [day, revision]));
    const compared = of.map((day, index) => ({ listed: revisions[index] ?? 0, named: known.get(day) ?? 0 }));
    if (compared.some((one) => one.listed === 0 && one.named > 0)) return false;
    return compared.some((one) => one.listed > one.named);
  }

  #isSettled(merchant: MerchantSettings, look: StatementLook): boolean {
    if (!isLookedAt(look)) return true;
    const sealed = this.#sealed.get(merchant);
    if (sealed === undefined) return !look.isIssued;
    if (isClosed(sealed)) return !this.#lacksMail(merchant, look);
    if (this.#isOpen(merchant, look)) return false;
    return !this.#lacksMail(merchant, look) && !look.isCorrected && !this.#mayLackDays(merchant, look);
  }

  /** Whether it is to be closed: in its time, or when it was reopened. */
  #isOpen(merchant: MerchantSettings, { isToClose, isCorrected }: StatementLook): boolean {
    return isToClose && (isCorrected || this.#sealed.get(merchant)?.closedAt !== undefined);
  }

  /** Because a run died before it. A ledger of no revision may also mean a preview: like a missing statement. */
  #lacksMail(
    owner: MerchantSettings | GroupSettings,
    { isIssued, deadline }: Pick<OpenPage, 'isIssued' | 'deadline'>,
  ): boolean {
    const { revision, storedAt } = this.#sealed.get(owner) ?? NONE;
    const mailed = this.#ledgers.get(owner) ?? NONE;
    if (mailed.revision === 0 && !isIssued) return false;
    // A preview may seal it weeks before it is due.
    const since = Math.max(storedAt, deadline);
    return mailed.revision < revision && since > this.#tick.now - LONGEST_WITHOUT_LEDGER;
  }

  #mayLackDays(merchant: MerchantSettings, { isCompleted, deadline }: StatementLook): boolean {
    const { revision, storedAt } = this.#sealed.get(merchant) ?? NONE;
    return isCompleted && revision === 1 && storedAt >= deadline;
  }

  #daysOf(merchant: MerchantSettings, named?: PeriodDays): readonly Day[] {
    const { period } = this.#open;
    if (named === undefined) return this.#calendar.daysOf(period, merchant);
    return daysOf(merchantDays(period, merchant.weekStart, { own: named }));
  }

  /** A revision stored before the day was over in the merchant's zone shows the day so far, and is not the day's. */
  #sealedDay(merchant: MerchantSettings, day: Day): Newest | undefined {
    const newest = this.days.get(day)?.get(merchant);
    return newest && newest.storedAt >= this.#calendar.endOf(day, merchant) ? newest : undefined;
  }

  /** The newest revision of each day, 0 for a day that is not sealed, and when the last was stored. */
  #look(merchant: MerchantSettings, of: readonly Day[]) {
    const sealed = of.map((day) => this.#sealedDay(merchant, day) ?? NONE);
    const { reportFrom = '' } = merchant;
    return {
      revisions: sealed.map(({ revision }) => revision),
      isComplete: of.every((day, index) => sealed[index] !== NONE || day < reportFrom),
      newestAt: Math.max(0, ...sealed.map(({ storedAt }) => storedAt)),
    };
  }

  /** Without a sealed day there is nothing to add up. */
  #isIssued(merchant: MerchantSettings, { deadline }: StatementLook): boolean {
    const { isComplete, newestAt } = this.#look(merchant, this.#daysOf(merchant));
    return newestAt > 0 && (isComplete || this.#tick.now >= deadline);
  }

  #mayHaveChanged(merchant: MerchantSettings, look: StatementLook): boolean {
    const { storedAt } = this.#sealed.get(merchant) ?? NONE;
    const of = this.#daysOf(merchant);
    const { isComplete, newestAt } = this.#look(merchant, of);
    if (this.#mayLackDays(merchant, look) && isComplete && newestAt > storedAt) return true;
    if (!look.isCorrected) return false;
    if (newestAt > storedAt - MARGIN) return true;
    // The week may have begun earlier or ended later than today's `weekStart` says. It was sealed after its last day.
    const others = this.#possibleDays.filter(
      (day) => !of.includes(day) && this.#calendar.endOf(day, merchant) <= storedAt,
    );
    return this.#look(merchant, others).newestAt > storedAt - MARGIN;
  }

  /** Whether it depends on the pages of its merchants, if a page is due. After the deadline, one without a ledger is. */
  #mayWait(page: OpenPage): boolean {
    const { settings } = page.owner;
    if (!this.#sealed.has(settings)) return true;
    return this.#lacksMail(settings, page) && this.#tick.now < page.deadline;
  }

  /** Issued once: when the last of its merchants has its page, or after its deadline. A preview does not count. */
  #isPageDue(page: OpenPage, issued: ReadonlySet<MerchantSettings>): boolean {
    const { owner, isIssued, deadline } = page;
    if (!this.#mayWait(page)) return this.#lacksMail(owner.settings, page);
    if (!this.#sealed.has(owner.settings) && !isIssued) return false;
    const { period, kind } = this.#open;
    const expected = owner.members.merchants.filter(
      (one) => (this.#calendar.daysOf(period, one).at(-1) ?? '') >= (one.reportFrom ?? ''),
    );
    const there = expected.filter((one) =>
      kind === 'day' ? this.#sealedDay(one, period) !== undefined : this.#sealed.has(one),
    );
    if (there.length === 0 || there.length === expected.length) return there.length > 0;
    const { now } = this.#tick;
    const isOnTheWay = expected.some((one) => issued.has(one));
    return now >= deadline && (!isOnTheWay || now >= deadline + LONGEST_WAIT);
  }
}

/** Whether the newest revision is closed, and no later one is open. */
export function isClosed({ storedAt, closedAt }: Newest = NONE): boolean {
  return closedAt !== undefined && closedAt >= storedAt;
}

function isLookedAt({ isIssued, isCompleted, isCorrected, isToClose }: StatementLook): boolean {
  return isIssued || isCompleted || isCorrected || isToClose;
}
