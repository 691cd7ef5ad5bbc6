import { WEEKDAYS, type Day, type Weekday } from '#records/day/business-day.ts';
import { sandboxMerchant, type SandboxMerchant } from '#sandbox/payments/index.ts';
import type { Draws } from './draws.ts';

/** A rule of `alert-check` on a figure that the service's own data contain. */
export interface SoakRule {
  name: string;
  measure: 'invoiceCount' | 'unpaidCount' | 'cancelledCount';
  above: number;
  clearAt: number;
  forChecks: number;
}

export interface SoakMerchant {
  account: SandboxMerchant;
  reportFrom: Day;
  timeZone: string;
  language: 'en' | 'ar';
  attachCsv: boolean;
  skipEmpty: boolean;
  weekStart: Weekday;
  /** When its statements are mailed; `undefined` when it gets none. */
  statements?: { weekly: { on: Weekday; at: string }; monthly: { onDay: number; at: string } };
  isInGroup: boolean;
  rules: readonly SoakRule[];
}

/** Zones where it is six o'clock at the daily tick, on every day of the year. */
const ZONES = ['Asia/Kuwait', 'Asia/Riyadh', 'Africa/Nairobi', 'Europe/Istanbul'] as const;

/** One in ten merchants joins later than the others. */
const NEWCOMERS = 10;

function rulesOf(draws: Draws, merchantCode: string): SoakRule[] {
  const random = draws.of('rules', merchantCode);
  const measures = (['invoiceCount', 'unpaidCount', 'cancelledCount'] as const).filter(() =>
    random.chance(45),
  );
  return measures.map((measure) => {
    const above = measure === 'invoiceCount' ? 12 + random.below(20) : 1 + random.below(5);
    const clearAt = above - random.below(Math.min(above, 3));
    return { name: `too-many-${measure}`, measure, above, clearAt, forChecks: 1 + random.below(2) };
  });
}

/** The hour of the daily tick in all zones: statements are due together with the reports. */
const TICK_HOUR = '06:00';

/** Weeks begin on any day, so that some statement is due at every tick. The first merchant always gets statements. */
function statementsOf(
  draws: Draws,
  merchantCode: string,
  index: number,
): Pick<SoakMerchant, 'weekStart' | 'statements' | 'isInGroup'> {
  const random = draws.of('statements', merchantCode);
  const weekStart = random.pick(WEEKDAYS);
  const own = { weekly: { on: weekStart, at: TICK_HOUR }, monthly: { onDay: 1, at: TICK_HOUR } };
  const hasOwn = random.chance(60) || index === 0;
  return { weekStart, ...(hasOwn && { statements: own }), isInGroup: index % 2 === 0 };
}

/** The merchants of a run. `days` are the reported days. */
export function soakMerchants(draws: Draws, count: number, days: readonly Day[]): SoakMerchant[] {
  const [first = '', ...later] = days;
  return Array.from({ length: count }, (_, index) => {
    const account = sandboxMerchant(index);
    const random = draws.of('merchant', account.merchantCode);
    const isLast = count > 3 && index >= count - Math.ceil(count / NEWCOMERS);
    return {
      account,
      reportFrom: isLast && later.length > 0 ? random.pick(later) : first,
      timeZone: random.pick(ZONES),
      language: random.pick(['en', 'en', 'ar']),
      attachCsv: random.chance(30),
      skipEmpty: random.chance(25),
      ...statementsOf(draws, account.merchantCode, index),
      rules: rulesOf(draws, account.merchantCode),
    };
  });
}

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

  everRecipients(merchantCode: string): string[] {
    return [...new Set(this.#historyOf(merchantCode).flatMap(({ addresses }) => addresses))];
  }

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
