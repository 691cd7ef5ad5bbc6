import { addDays, instantOf, type Day } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import { manifestSchema, type Manifest } from '#records/revision/manifest.ts';
import { historyKey, manifestKey } from '#records/storage/keys.ts';
import { seededRandom, type Random } from '#sandbox/payments/day/random.ts';
import { BUCKET, CODE, type DaybookWorld } from '#support/world/daybook-world.ts';

const STATUS = { unpaid: 0, paid: 1, cancelled: 3 } as const;

/** Something that happens at the service, at a local time of the merchant (`YYYY-MM-DD HH:MM:SS`). */
interface Happening {
  at: string;
  status: 0 | 1 | 3;
}

/** A refund of a day, and when it is decided; `decided: undefined`: never. */
interface MadeRefund {
  day: Day;
  amount: bigint;
  decided: { at: string; as: 'approved' | 'rejected' } | undefined;
}

interface MadeInvoice {
  id: number;
  day: Day;
  amount: bigint;
  /** In order of time; the first makes it. */
  life: Happening[];
}

function added(ones: readonly { amount: bigint }[]): { count: number; sum: string } {
  return { count: ones.length, sum: formatAmount(ones.reduce((sum, { amount }) => sum + amount, 0n)) };
}

function timeOf(random: Random): string {
  const two = (value: number) => value.toString().padStart(2, '0');
  return `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}`;
}

/** When it is 06:00 on the day after. Milliseconds UTC. */
export function morningAfter(day: Day, timeZone = 'Asia/Kuwait'): number {
  return instantOf(addDays(day, 1), '06:00', timeZone);
}

/** Its invoices are paid up to 85 days late, cancelled, never paid, or taken back. It knows each change's time. */
export class FollowedMerchant {
  readonly #world: DaybookWorld;
  readonly #random: Random;
  readonly #invoices: MadeInvoice[] = [];
  readonly #refunds: MadeRefund[] = [];
  /** Not told to the sandbox yet, in order of time. */
  #coming: { at: string; tell: () => void }[] = [];
  readonly #timeZone: string;
  /** By key: a page never changes. */
  readonly #pages = new Map<string, Manifest>();

  /** @param timeZone of the registry */
  constructor(world: DaybookWorld, seed: string, timeZone = 'Asia/Kuwait') {
    this.#world = world;
    this.#random = seededRandom(seed);
    this.#timeZone = timeZone;
  }

  #instantOf(local: string): number {
    const [day = '', time = ''] = local.split(' ');
    return instantOf(day, time, this.#timeZone);
  }

  /** Makes the invoices of a day, with all that will become of them. */
  makeDay(day: Day, invoices: number): void {
    for (let count = 0; count < invoices; count += 1) {
      const made = `${day} ${timeOf(this.#random)}`;
      const linkDays = this.#random.pick([1, 2, 3, 7, 7, 30, 90]);
      const late = this.#random.pick([0, 0, 0, 0, 1, 2, linkDays, this.#random.below(linkDays + 1)]);
      const life: Happening[] = [{ at: made, status: STATUS.unpaid }];
      const fate = this.#random.below(10);
      const settled = `${addDays(day, Math.min(late, 85))} ${timeOf(this.#random)}`;
      if (fate < 7 && settled > made) life.push({ at: settled, status: STATUS.paid });
      else if (fate < 8 && settled > made) life.push({ at: settled, status: STATUS.cancelled });
      const takenBack = `${addDays(settled.slice(0, 10), 1 + this.#random.below(5))} ${timeOf(this.#random)}`;
      if (life[1]?.status === STATUS.paid && this.#random.chance(4))
        life.push({ at: takenBack, status: STATUS.unpaid });
      this.#make(day, life, addDays(day, linkDays));
    }
  }

  /** Makes a refund on some days, which is decided weeks later, if at all. */
  makeRefund(day: Day): void {
    if (!this.#random.chance(30)) return;
    const amount = BigInt(1_000 + this.#random.below(50_000));
    const at = `${addDays(day, 1 + this.#random.below(60))} ${timeOf(this.#random)}`;
    const as = this.#random.pick(['approved', 'approved', 'rejected'] as const);
    const decided = this.#random.chance(80) ? { at, as } : undefined;
    this.#refunds.push({ day, amount, decided });
    const { data } = this.#world.payments;
    let id = 0;
    const tell = () => (id = data.insertRefund(CODE, day, { amount: formatAmount(amount), status: 0 }));
    this.#coming.push({ at: `${day} 12:00:00`, tell });
    if (decided === undefined) return;
    const status = decided.as === 'approved' ? 1 : 2;
    this.#coming.push({ at: decided.at, tell: () => data.updateRefund(CODE, id, { status }) });
  }

  /** The refunds of a day by status, as its page must say them, by the truth. @param until milliseconds UTC */
  refunds(day: Day, until: number): Record<string, { count: number; total: string }> {
    const ofDay = this.#refunds.filter((one) => one.day === day);
    const byStatus = Map.groupBy(ofDay, ({ decided }) =>
      decided !== undefined && this.#instantOf(decided.at) <= until ? decided.as : 'pending',
    );
    const of = (status: 'approved' | 'pending' | 'rejected') => {
      const { count, sum: total } = added(byStatus.get(status) ?? []);
      return { count, total };
    };
    return { approved: of('approved'), pending: of('pending'), rejected: of('rejected') };
  }

  /** Seventy of a hundred invoices are paid on their day, eight in the three days after it, the others never. */
  makeUsualDay(day: Day, invoices: number): void {
    for (let count = 0; count < invoices; count += 1) {
      const made = `${day} ${timeOf(this.#random)}`;
      const fate = this.#random.below(100);
      const late = fate < 70 ? 0 : 1 + this.#random.below(3);
      const paid = `${addDays(day, late)} ${late === 0 ? '23:59:59' : timeOf(this.#random)}`;
      const life: Happening[] = [{ at: made, status: STATUS.unpaid }];
      if (fate < 78) life.push({ at: paid, status: STATUS.paid });
      this.#make(day, life, addDays(day, 7));
    }
  }

  #make(day: Day, life: Happening[], lastDay: Day): void {
    const { payments } = this.#world;
    const amount = BigInt(1_000 + this.#random.below(500_000));
    const invoice: MadeInvoice = { id: 0, day, amount, life };
    this.#invoices.push(invoice);
    const type = this.#random.pick([1, 1, 1, 0]);
    const made = { amount: formatAmount(amount), invoice_type: type, expires_at: lastDay };
    for (const [index, { at, status }] of life.entries()) {
      const transaction = { payment_type: 'KNET', paid_on: status === STATUS.paid ? at : null };
      const now = { invoice_status: status, transaction };
      const tell = () => {
        if (index > 0) payments.data.updateInvoice(CODE, invoice.id, now);
        else invoice.id = payments.data.insertInvoice(CODE, day, { ...made, created_at: at, ...now });
      };
      this.#coming.push({ at, tell });
    }
  }

  /** Lets everything happen that is before the moment. @param until milliseconds UTC */
  happen(until: number): void {
    this.#coming.sort((one, other) => (one.at < other.at ? -1 : 1));
    const due = this.#coming.filter(({ at }) => this.#instantOf(at) <= until);
    this.#coming = this.#coming.filter(({ at }) => this.#instantOf(at) > until);
    for (const { tell } of due) tell();
  }

  /** What the day's page must say of its invoices, by the truth. @param until milliseconds UTC */
  issued(day: Day, until: number): Record<'paid' | 'notPaid' | 'cancelled', { count: number; sum: string }> {
    const ofDay = this.#invoices.filter((one) => one.day === day);
    const of = (status: Happening['status']) =>
      added(ofDay.filter(({ life }) => this.#newest(life, until)?.status === status));
    return { paid: of(STATUS.paid), notPaid: of(STATUS.unpaid), cancelled: of(STATUS.cancelled) };
  }

  #newest(life: readonly Happening[], until: number): Happening | undefined {
    return life.findLast(({ at }) => this.#instantOf(at) <= until);
  }

  /** What came in on a day (`2026-08-01`) or in a month (`2026-08`), by the truth. @param until milliseconds UTC */
  received(days: string, until: number): { count: number; sum: string } {
    return added(
      this.#invoices.filter(({ life }) => {
        const last = this.#newest(life, until);
        return last?.status === STATUS.paid && last.at.startsWith(days);
      }),
    );
  }

  /** The page of a day, the newest by default. */
  async page(day: Day, revision?: number): Promise<Manifest> {
    const keys = this.#world.keys(`days/day=${day}/merchant=${CODE}/`);
    const key = (revision === undefined ? keys.at(-1) : manifestKey(day, CODE, revision)) ?? '';
    const known = this.#pages.get(key) ?? manifestSchema.parse(JSON.parse(await this.#world.text(key)));
    this.#pages.set(key, known);
    return known;
  }

  async morning(day: Day): Promise<void> {
    const at = morningAfter(day, this.#timeZone);
    this.happen(at);
    this.#world.clock.setTo(at + 60_000);
    await this.#world.report({ day, scheduledTime: new Date(at).toISOString() });
  }

  /** Begins with a history that knows of no page, as a new merchant's first morning leaves it. */
  async beginAt(day: Day): Promise<void> {
    const history = { merchantCode: CODE, days: [], followedFrom: addDays(day, -500) };
    await this.#world.aws.s3.write(BUCKET, historyKey(CODE), JSON.stringify(history));
  }
}
