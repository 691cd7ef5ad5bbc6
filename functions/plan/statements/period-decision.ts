import { dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf, merchantDays, possibleDays } from '#records/period/period.ts';
import type { PeriodDays } from '#records/period/period.ts';
import { SEEN_FOR } from '#page/queue-message.ts';
import type { StatementMessage } from '#page/queue-message.ts';
import type { GroupOwner, MerchantsAndGroups } from './merchants-and-groups.ts';
import { isLookedAt, LOOKS } from './looked-periods.ts';
import type { OpenPage, OpenPeriod } from './open-periods.ts';
import type { Newest } from './newest-revisions.ts';
import type { DayReader, PeriodLook } from './period-look.ts';
import type { NamedDays } from './statement-listings.ts';

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

export interface DueStatements {
  statements: StatementMessage[];
  pages: StatementMessage[];
  toCompare: { place: number; revision: number }[];
  /** Of statements and pages that there are, or that may be issued. */
  looked: number;
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

/** Pure: all it knows was listed before. */
export class PeriodDecision {
  readonly #owners: MerchantsAndGroups;
  readonly #open: OpenPeriod;
  readonly #tick: Tick;
  readonly #reader: DayReader;

  constructor(owners: MerchantsAndGroups, open: OpenPeriod, tick: Tick, reader: DayReader) {
    this.#owners = owners;
    this.#open = open;
    this.#tick = tick;
    this.#reader = reader;
  }

  #isSettled(place: number, { sealed, ledgers }: Omit<PeriodLook, 'days'>): boolean {
    const looks = this.#open.looks[place] ?? 0;
    if (!isLookedAt(looks)) return true;
    const newest = sealed.merchant(place);
    if (newest.revision === 0) return (looks & LOOKS.issue) === 0;
    if (this.#lacksStatementMail(place, { sealed, ledgers })) return false;
    return (looks & LOOKS.correct) === 0 && !this.#mayLackDays(place, sealed);
  }

  /**
   * Because a run died before it. A ledger of no revision may also mean a preview: like a missing statement.
   */
  #lacksMail(
    { revision, storedAt }: Newest,
    ledger: Newest,
    { isIssued, deadline }: Pick<OpenPage, 'isIssued' | 'deadline'>,
  ): boolean {
    if (ledger.revision === 0 && !isIssued) return false;
    // A preview may seal it weeks before it is due.
    return (
      ledger.revision < revision && Math.max(storedAt, deadline) > this.#tick.now - LONGEST_WITHOUT_LEDGER
    );
  }

  #lacksStatementMail(place: number, { sealed, ledgers }: Omit<PeriodLook, 'days'>): boolean {
    const isIssued = ((this.#open.looks[place] ?? 0) & LOOKS.issue) !== 0;
    const deadline = this.#deadline(place);
    return this.#lacksMail(sealed.merchant(place), ledgers.merchant(place), { isIssued, deadline });
  }

  /** Milliseconds UTC. From here on a statement is issued although days are missing. */
  #deadline(place: number): number {
    return this.#open.deadlines[place] ?? Infinity;
  }

  #mayLackDays(place: number, sealed: PeriodLook['sealed']): boolean {
    const { revision, storedAt } = sealed.merchant(place);
    const isFresh = ((this.#open.looks[place] ?? 0) & LOOKS.complete) !== 0;
    return isFresh && revision === 1 && storedAt >= this.#deadline(place);
  }

  daysToList(look: Omit<PeriodLook, 'days'>): Set<Day> {
    const { period, kind, pages, looks } = this.#open;
    if (kind === 'day') {
      return new Set(pages.some((page) => this.#mayWait(page, look)) ? [period] : []);
    }
    const today = dayAt(this.#tick.now, 'UTC');
    for (const place of this.#owners.merchants.keys()) {
      if (looks[place] !== 0 && !this.#isSettled(place, look)) {
        return new Set(possibleDays(period).filter((day) => day <= today));
      }
    }
    return new Set();
  }

  due(look: PeriodLook): DueStatements {
    const due: DueStatements = { statements: [], pages: [], toCompare: [], looked: 0 };
    let issued = new Set<number>();
    if (this.#open.kind !== 'day') issued = this.#addStatements(look, due);
    for (const page of this.#open.pages) {
      const { owner, isIssued } = page;
      if (isIssued || look.sealed.group(owner.settings.name).revision > 0) due.looked += 1;
      if (this.#isPageDue(page, look, issued)) due.pages.push(this.#pageItem(owner));
    }
    return due;
  }

  #addStatements(look: PeriodLook, due: DueStatements): Set<number> {
    const issued = new Set<number>();
    const { looks } = this.#open;
    for (let place = 0; place < looks.length; place += 1) {
      const looksOfIt = looks[place] ?? 0;
      const { revision } = look.sealed.merchant(place);
      if (revision === 0 ? (looksOfIt & LOOKS.issue) === 0 : !isLookedAt(looksOfIt)) continue;
      due.looked += 1;
      if (this.#isSettled(place, look)) continue;
      if (revision === 0) {
        if (!this.#isIssued(place, look)) continue;
        issued.add(place);
        due.statements.push(this.item(place, look.days));
      } else if (this.#lacksStatementMail(place, look)) {
        // A preview may have sealed it before its days were there.
        if (this.#isIssued(place, look)) due.statements.push(this.item(place, look.days));
      } else if (this.#mayHaveChanged(place, look)) {
        due.toCompare.push({ place, revision });
      }
    }
    return issued;
  }

  /** @param named the days of the sealed statement; otherwise today's `weekStart` says them */
  #daysOf(place: number, days: PeriodLook['days'], named?: PeriodDays) {
    const settings = this.#owners.merchants[place];
    if (settings === undefined) throw new RangeError(`no merchant has the place ${place}`);
    const { period } = this.#open;
    const of =
      named === undefined
        ? this.#reader.daysOf(period, settings)
        : daysOf(merchantDays(period, settings.weekStart, { own: named }));
    return { settings, of, ...this.#reader.merchant(of, place, settings, days) };
  }

  /** Without a sealed day there is nothing to add up. */
  #isIssued(place: number, { days }: PeriodLook): boolean {
    const { isComplete, newestAt } = this.#daysOf(place, days);
    if (newestAt === 0) return false;
    return isComplete || this.#tick.now >= this.#deadline(place);
  }

  #mayHaveChanged(place: number, { sealed, days }: PeriodLook): boolean {
    const { storedAt } = sealed.merchant(place);
    const { settings, of, isComplete, newestAt } = this.#daysOf(place, days);
    if (this.#mayLackDays(place, sealed) && isComplete && newestAt > storedAt) return true;
    if (((this.#open.looks[place] ?? 0) & LOOKS.correct) === 0) return false;
    if (newestAt > storedAt - MARGIN) return true;
    // The week may have begun earlier or ended later than today's `weekStart` says. It was sealed after its last day.
    const others = possibleDays(this.#open.period).filter(
      (day) => !of.includes(day) && this.#reader.endOf(day, settings) <= storedAt,
    );
    return this.#reader.merchant(others, place, settings, days).newestAt > storedAt - MARGIN;
  }

  /** Whether it depends on the pages of its merchants, if a page is due. After the deadline, one without a ledger is. */
  #mayWait(page: OpenPage, look: Omit<PeriodLook, 'days'>): boolean {
    if (look.sealed.group(page.owner.settings.name).revision === 0) return true;
    return this.#lacksPageMail(page, look) && this.#tick.now < page.deadline;
  }

  #lacksPageMail(page: OpenPage, { sealed, ledgers }: Omit<PeriodLook, 'days'>): boolean {
    const { name } = page.owner.settings;
    return this.#lacksMail(sealed.group(name), ledgers.group(name), page);
  }

  /**
   * Issued once: when the last of its merchants has its page, or after its deadline. A preview does not
   * count.
   */
  #isPageDue(page: OpenPage, look: PeriodLook, issued: ReadonlySet<number>): boolean {
    const { owner, isIssued, deadline } = page;
    if (!this.#mayWait(page, look)) return this.#lacksPageMail(page, look);
    if (look.sealed.group(owner.settings.name).revision === 0 && !isIssued) return false;
    const { expected, there, onTheWay } = this.#countMembers(owner, look, issued);
    if (there === 0) return false;
    if (there === expected) return true;
    const { now } = this.#tick;
    return now >= deadline && (onTheWay === 0 || now >= deadline + LONGEST_WAIT);
  }

  #countMembers({ members }: GroupOwner, look: PeriodLook, issued: ReadonlySet<number>) {
    const { period, kind } = this.#open;
    const count = { expected: 0, there: 0, onTheWay: 0 };
    for (const place of members.places) {
      const settings = this.#owners.merchants[place];
      if (settings === undefined) continue;
      const { reportFrom = '' } = settings;
      if ((this.#reader.daysOf(period, settings).at(-1) ?? '') < reportFrom) continue;
      count.expected += 1;
      const isThere =
        kind === 'day'
          ? this.#reader.sealedDay(period, place, settings, look.days) !== undefined
          : look.sealed.merchant(place).revision > 0;
      if (isThere) count.there += 1;
      if (issued.has(place)) count.onTheWay += 1;
    }
    return count;
  }

  item(place: number, days: PeriodLook['days'], named?: PeriodDays): StatementMessage {
    const { settings, of, revisions } = this.#daysOf(place, days, named);
    const { send, scheduledTime, lookedAt } = this.#tick;
    const { period } = this.#open;
    const isMailed = send && ((this.#open.looks[place] ?? 0) & LOOKS.mail) !== 0;
    const [from = ''] = of;
    const seen = { at: new Date(lookedAt).toISOString(), from };
    return { merchantCode: settings.merchantCode, period, send: isMailed, scheduledTime, revisions, seen };
  }

  #pageItem({ settings: { name } }: GroupOwner): StatementMessage {
    const { send, scheduledTime } = this.#tick;
    return { group: name, period: this.#open.period, send, scheduledTime };
  }

  /**
   * Whether its days are newer than those it names. With a day that is gone after its time it stays as it is:
   * it could not be added up again.
   * @param named `undefined` when the statement cannot be read
   */
  hasChanged(place: number, named: NamedDays | undefined, days: PeriodLook['days']): boolean {
    const { of, revisions } = this.#daysOf(place, days, named);
    const known = new Map(named?.days.map(({ day, revision }) => [day, revision]));
    const compared = of.map((day, index) => ({ listed: revisions[index] ?? 0, named: known.get(day) ?? 0 }));
    if (compared.some((one) => one.listed === 0 && one.named > 0)) return false;
    return compared.some((one) => one.listed > one.named);
  }
}
