import type { Day } from '#records/day/business-day.ts';
import { TICK_HOUR } from './merchants.ts';
import type { SoakMerchant } from './merchants.ts';

/** The group of every run, without its merchants. Its recipients never change. */
export const GROUP = {
  name: 'owners',
  recipients: ['chief@groups.example', 'office@groups.example'],
  timeZone: 'Asia/Kuwait',
  daily: true,
  weekly: { on: 'thursday', at: TICK_HOUR },
};

/** The recipients of a merchant from a moment on (milliseconds UTC). */
interface Recipients {
  since: number;
  addresses: readonly string[];
}

/** The registry as people edit it. It remembers who was a recipient at which time. */
export class RegistryBook {
  readonly #origin: string;
  readonly #entries = new Map<string, { merchant: SoakMerchant; history: Recipients[] }>();

  /** @param origin of the payment service */
  constructor(origin: string) {
    this.#origin = origin;
  }

  get merchants(): SoakMerchant[] {
    return [...this.#entries.values()].map(({ merchant }) => merchant);
  }

  add(merchant: SoakMerchant, addresses: readonly string[], now: number): void {
    this.#entries.set(merchant.account.merchantCode, { merchant, history: [{ since: now, addresses }] });
  }

  setRecipients(merchantCode: string, addresses: readonly string[], now: number): void {
    this.#historyOf(merchantCode).push({ since: now, addresses });
  }

  /** The current recipients. */
  recipients(merchantCode: string): readonly string[] {
    return this.#historyOf(merchantCode).at(-1)?.addresses ?? [];
  }

  /** The recipients during the whole time between two moments, milliseconds UTC. */
  recipientsThroughout(merchantCode: string, from: number, to: number): string[] {
    const history = this.#historyOf(merchantCode);
    const inForce = history.filter(
      ({ since }, index) => since <= to && (history[index + 1]?.since ?? Number.POSITIVE_INFINITY) > from,
    );
    const [first, ...others] = inForce;
    if (first === undefined || first.since > from) return [];
    return first.addresses.filter((address) => others.every(({ addresses }) => addresses.includes(address)));
  }

  /** Everybody who was ever a recipient. */
  everRecipients(merchantCode: string): string[] {
    return [...new Set(this.#historyOf(merchantCode).flatMap(({ addresses }) => addresses))];
  }

  /** The first day whose reports are mailed to a merchant. */
  reportFrom(merchantCode: string): Day {
    return this.#entryOf(merchantCode).merchant.reportFrom;
  }

  /** The content for the bucket (docs/registry.md). */
  text(): string {
    return JSON.stringify({
      service: { baseUrl: this.#origin },
      defaults: {
        currency: 'KWD',
        reportAt: '06:00',
        lookbackDays: [1, 3, 7],
        refunds: { source: 'list', statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } },
        invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      },
      groups: [{ ...GROUP, merchants: this.groupCodes() }],
      merchants: this.merchants.map(({ account, reportFrom, rules, isInGroup: _, ...entry }) => ({
        merchantCode: account.merchantCode,
        name: account.name,
        ...entry,
        reportFrom,
        recipients: this.recipients(account.merchantCode),
        alerts: rules,
      })),
    });
  }

  /** The codes of the group's merchants. */
  groupCodes(): string[] {
    return this.merchants.flatMap(({ account, isInGroup }) => (isInGroup ? [account.merchantCode] : []));
  }

  #historyOf(merchantCode: string): Recipients[] {
    return this.#entryOf(merchantCode).history;
  }

  #entryOf(merchantCode: string) {
    const entry = this.#entries.get(merchantCode);
    if (entry === undefined) throw new RangeError(`the registry has no merchant ${merchantCode}`);
    return entry;
  }
}
