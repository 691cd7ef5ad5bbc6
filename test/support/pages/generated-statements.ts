import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Day, Weekday } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { formatAmount } from '#records/money/money.ts';
import { daysOf, periodBefore, periodDays, type Period } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { comparedPeriod, type Statement } from '#page/figures/statement.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { manifestKey, pageKey } from '#records/storage/keys.ts';
import { manifestOf, type PutObject } from './generated-lake.ts';

export interface GeneratedMerchant {
  merchantCode: string;
  currency: string;
  weekStart: Weekday;
  charges: readonly ChargeColumn[];
  reportFrom?: Day;
  /** Whether some days do not balance, and some figures are unknown. */
  gaps: boolean;
}

/** Up to 17 digits before the point: as floating point numbers they would lose their thousandths. */
const amount = fc.oneof(fc.bigInt(-99n, 99_999n), fc.bigInt(-(10n ** 18n), 10n ** 20n)).map(formatAmount);
const count = fc.nat(10_000);
const counted = { count, total: amount };
const byStatus = fc.record({ approved: fc.record(counted), pending: fc.record(counted) });

type DayFigures = Pick<Manifest, 'counts' | 'amounts' | 'refunds' | 'balanced' | 'breakdown'>;

function dayFigures({ gaps }: GeneratedMerchant): fc.Arbitrary<DayFigures> {
  const perhaps = <Value>(value: fc.Arbitrary<Value>) =>
    gaps ? fc.option(value, { freq: 6 }) : value.map((known): Value | null => known);
  const charges = fc.tuple(amount, amount).map(([admin, service]) => [
    { column: 'admin_charge' as const, total: admin },
    { column: 'service_charge' as const, total: service },
  ]);
  return fc.record({
    balanced: gaps ? fc.boolean() : fc.constant(true),
    counts: fc.record({
      total: count,
      paid: perhaps(count),
      notPaid: perhaps(count),
      cancelled: count,
      other: perhaps(count),
    }),
    amounts: perhaps(fc.record({ paid: amount, notPaid: amount, cancelled: amount, other: amount })),
    refunds: fc.record({ ...counted, byStatus, saleBasis: fc.record({ ...counted, byStatus }) }),
    breakdown: perhaps(fc.record({ byType: fc.constant([]), byMethod: fc.constant([]), charges })),
  });
}

const SAMPLES = 20;

/** Seals generated days of merchants, and statements over them. The same seed gives the same objects. */
export class GeneratedStatements {
  readonly #put: PutObject;
  readonly #seed: number;
  /** The newest manifests by merchant and day. */
  readonly #pages = new Map<string, Manifest>();
  /** The newest statements by merchant and period. */
  readonly #newest = new Map<string, Statement>();

  constructor(put: PutObject, seed: number) {
    this.#put = put;
    this.#seed = seed;
  }

  async sealDay(merchant: GeneratedMerchant, day: Day): Promise<Manifest> {
    const { merchantCode } = merchant;
    const place = `${merchantCode} ${day}`;
    const revision = (this.#pages.get(place)?.revision ?? 0) + 1;
    const seed = createHash('sha256').update(`${this.#seed} ${place} ${revision}`).digest().readInt32BE();
    // The first samples are the smallest ones.
    const figures = fc.sample(dayFigures(merchant), { seed, numRuns: SAMPLES }).at(-1);
    const page = { merchantCode, day, revision, pulledAt: `${day}T23:00:0${revision}.000Z` };
    const manifest = { ...manifestOf(page, { invoices: [], refunds: [] }), ...figures };
    this.#pages.set(place, manifest);
    await this.#put(manifestKey(day, merchantCode, revision), JSON.stringify(manifest));
    return manifest;
  }

  /** Over the newest revisions of the days. `sealedAt`: ISO 8601. `closing`: what it says of closed statements. */
  async sealStatement(
    merchant: GeneratedMerchant,
    period: Period,
    sealedAt: string,
    closing: Pick<Statement, 'closedAt' | 'reopenedAt' | 'adjustments'> = {},
  ): Promise<Statement> {
    const { merchantCode, weekStart } = merchant;
    const owner = { merchantCode };
    const place = `${merchantCode} ${period}`;
    const days = periodDays(period, weekStart);
    const pages = daysOf(days).flatMap((day) => this.#pages.get(`${merchantCode} ${day}`) ?? []);
    const revision = (this.#newest.get(place)?.revision ?? 0) + 1;
    const before = this.#newest.get(`${merchantCode} ${periodBefore(period)}`);
    const statement: Statement = {
      ...composeStatement({ ...merchant, ...days, period, followed: [] }, pages),
      revision,
      sealedAt,
      scheduledTime: revision === 1 ? sealedAt : null,
      before: before === undefined ? null : comparedPeriod(before),
      lastYear: null,
      previous: revision === 1 ? null : pageKey({ owner, period, revision: revision - 1 }),
      ...closing,
    };
    this.#newest.set(place, statement);
    await this.#put(pageKey({ owner, period, revision }), `${JSON.stringify(statement)}\n`);
    return statement;
  }

  newest(): Statement[] {
    return [...this.#newest.values()];
  }
}
