import PostalMime from 'postal-mime';
import type { AlertCheckAnswer } from '#alerts/alert-check/create-alert-check.ts';
import { type AlertState, alertStateSchema } from '#records/ledger/alert-state.ts';
import { alertStateKey } from '#records/storage/keys.ts';
import { type Ledger, ledgerSchema } from '#records/ledger/ledger.ts';
import { CODE, DAY, DaybookWorld, useWorld, type WorldOptions } from '../world/daybook-world.ts';

/** Noon of {@link DAY} where the merchant is, in Kuwait. */
const NOON = Date.parse(`${DAY}T09:00:00Z`);

/** A moment so many minutes after noon. */
export function minutesAfterNoon(minutes: number): string {
  return new Date(NOON + minutes * 60_000).toISOString();
}

export const TOO_MANY_UNPAID = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 5 };

/** A world whose merchant has rules, and a service whose unpaid invoices a script sets from check to check. */
export class AlertScript {
  readonly world: DaybookWorld;
  #unpaid: number[] = [];

  constructor(world: DaybookWorld) {
    this.world = world;
  }

  static async start(rules: readonly unknown[] = [TOO_MANY_UNPAID], options: WorldOptions = {}) {
    const script = new AlertScript(await DaybookWorld.ofTest(options));
    await script.rules(rules);
    return script;
  }

  async begin(rules: readonly unknown[]): Promise<void> {
    this.#unpaid = [];
    await this.rules(rules);
  }

  async rules(alerts: readonly unknown[], merchant: Record<string, unknown> = {}): Promise<void> {
    await this.world.putRegistry({ [CODE]: { alerts, ...merchant } });
  }

  /** Makes the day have so many unpaid invoices, by new ones or by payments. */
  unpaid(count: number, day = DAY): void {
    const { data } = this.world.payments;
    while (this.#unpaid.length < count) this.#unpaid.push(data.insertInvoice(CODE, day));
    for (const id of this.#unpaid.splice(count)) data.updateInvoice(CODE, id, { invoice_status: 1 });
  }

  /** One check of a cold start, so many minutes after noon. */
  check(minutes: number, event: { now?: string; [member: string]: unknown } = {}): Promise<AlertCheckAnswer> {
    const asked = { now: minutesAfterNoon(minutes), ...event };
    // No check is of a time that has not come.
    const { clock } = this.world;
    clock.setTo(Math.max(clock.now(), Date.parse(asked.now)));
    return this.world.alertCheck(asked);
  }

  /** The subjects of the alert mails that one step made. */
  async subjectsOf(step: () => Promise<unknown>): Promise<string[]> {
    const before = this.world.mails('alert').length;
    await step();
    return (await this.mails()).slice(before).map(({ subject }) => subject);
  }

  mails() {
    return Promise.all(
      this.world.mails('alert').map(async ({ raw, destinations }) => {
        const { subject = '', text = '', html = '' } = await PostalMime.parse(raw);
        return { to: destinations, subject, text, html };
      }),
    );
  }

  /** The first words of the subjects of all alert mails. */
  async said(): Promise<(string | undefined)[]> {
    return (await this.mails()).map(({ subject }) => subject.split(' · ')[0]);
  }

  async state(): Promise<AlertState> {
    return alertStateSchema.parse(JSON.parse(await this.world.text(alertStateKey(CODE))));
  }

  async ledgers(): Promise<Ledger[]> {
    const keys = this.world.keys('mail/alerts/');
    return Promise.all(keys.map(async (key) => ledgerSchema.parse(JSON.parse(await this.world.text(key)))));
  }

  /** What the service was asked, by operation, in one step. */
  async requestsOf(step: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = this.world.payments.requests.length;
    await step();
    const counts: Record<string, number> = {};
    for (const { operation } of this.world.payments.requests.slice(before)) {
      counts[operation] = (counts[operation] ?? 0) + 1;
    }
    return counts;
  }
}

/** A script that is new for each test of the file, with these rules until the test sets others. */
export function useAlertScript(rules: readonly unknown[] = [TOO_MANY_UNPAID]): AlertScript {
  const script = new AlertScript(useWorld());
  beforeEach(() => script.begin(rules));
  return script;
}
