import { addressHash, merchantInKey, alertStateKey } from '#records/storage/keys.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { BrokenPromise, Evidence } from './evidence.ts';
import type { Readers } from './report-mails.ts';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import { dayAt } from '#records/day/business-day.ts';
import type { SoakMerchant, SoakRule } from '../merchants.ts';
import type { World } from '../world.ts';

export interface ToldCheck {
  merchantCode: string;
  /** Its tick, which begins the name of a check: `20261120T103000Z`. */
  tick: string;
}

const LEDGER = /^mail\/alerts\/merchant=[\w-]+\/(\d{8}T\d{6}Z)-[0-9a-f]{8}\.json$/;

/**
 * Every check with something to report has one ledger. The ledger names all recipients, or ops were notified of it. No other
 * check has a ledger.
 */
export function alertMails(
  { ledgers, opsTold }: Evidence,
  checks: readonly ToldCheck[],
  readers: ReadonlyMap<string, Pick<Readers, 'throughout'>>,
): BrokenPromise[] {
  const nameOf = ({ merchantCode, tick }: ToldCheck) => `${merchantCode} ${tick}`;
  const found = Map.groupBy(
    [...ledgers.keys()].flatMap((key) => {
      const tick = LEDGER.exec(key)?.[1];
      const merchantCode = merchantInKey(key);
      return tick === undefined || merchantCode === undefined ? [] : [{ merchantCode, tick, key }];
    }),
    nameOf,
  );
  const expected = new Set(checks.map(nameOf));
  const missing = checks.flatMap((check): BrokenPromise[] => {
    const { merchantCode, tick } = check;
    const own = found.get(nameOf(check)) ?? [];
    if (own.length > 1) return [{ merchantCode, what: `the check ${tick} has ${own.length} ledgers` }];
    const [{ key } = { key: `mail/alerts/merchant=${merchantCode}/${tick}` }] = own;
    if (opsTold.includes(key)) return [];
    const ledger = ledgers.get(key);
    if (ledger === undefined)
      return [{ merchantCode, what: `nobody was notified of the result of check ${tick}` }];
    const written = new Set(presentRound(ledger).map(({ to }) => to));
    const from = Date.parse(ledger.intendedAt);
    const to = Math.max(from, ...presentRound(ledger).map(({ at }) => Date.parse(at)));
    const owed = readers.get(merchantCode)?.throughout(from, to) ?? [];
    const forgotten = owed.filter((address) => !written.has(addressHash(address)));
    return forgotten.map((address) => ({
      merchantCode,
      what: `${address} got no mail of the check ${tick}`,
    }));
  });
  const unfounded = [...found.values()].flat().filter((check) => !expected.has(nameOf(check)));
  return [
    ...missing,
    ...unfounded.map(({ merchantCode, key }) => ({
      merchantCode,
      what: `${key}: that check had nothing to report`,
    })),
  ];
}

/** The state of a rule by the service's own figures. */
interface Standing {
  place: 'ok' | 'pending' | 'firing';
  checks: number;
  /** Whether its recipients were told that it fires. */
  isTold: boolean;
}

/** The result of a tick: each rule's state, whether anything moved, and whether there is something to mail. */
interface Expected {
  day: string;
  standings: ReadonlyMap<string, Standing>;
  moves: boolean;
  tells: boolean;
}

/** A merchant's rules, by `docs/alerts.md`: on figures of the day, above a bound, never muted, mailed once. */
class AlertModel {
  readonly #rules: readonly SoakRule[];
  #standings: ReadonlyMap<string, Standing> = new Map();
  #day: string | undefined;

  constructor(rules: readonly SoakRule[]) {
    this.#rules = rules;
  }

  /** What a check makes of every rule. @param valueOf the figure; `null` when it could not be known */
  expected(day: string, valueOf: (rule: SoakRule) => number | null): Expected {
    const standings = new Map<string, Standing>();
    let moves = day !== this.#day;
    let tells = false;
    for (const rule of this.#rules) {
      const standing = day === this.#day ? this.#standings.get(rule.name) : undefined;
      const before: Standing = standing ?? { place: 'ok', checks: 0, isTold: false };
      const value = valueOf(rule);
      const after = value === null ? before : moved(rule, before, value);
      moves ||= after.place !== before.place || after.checks !== before.checks;
      tells ||= after.isTold !== before.isTold;
      standings.set(rule.name, after);
    }
    return { day, standings, moves, tells };
  }

  count({ day, standings }: Expected): void {
    this.#day = day;
    this.#standings = standings;
  }
}

function moved({ above, clearAt, forChecks }: SoakRule, before: Standing, value: number): Standing {
  if (before.place === 'firing') {
    return value <= clearAt ? { place: 'ok', checks: 0, isTold: false } : before;
  }
  if (value <= above) return { place: 'ok', checks: 0, isTold: false };
  const checks = before.checks + 1;
  const fires = checks >= forChecks;
  return { place: fires ? 'firing' : 'pending', checks, isTold: fires };
}

function figureOf({ payments }: World, merchantCode: string, day: string, { measure }: SoakRule): number {
  const { invoices } = payments.data.truth(merchantCode, day);
  switch (measure) {
    case 'invoiceCount':
      return invoices.count;
    case 'unpaidCount':
      return invoices.byStatus['0']?.count ?? 0;
    case 'cancelledCount':
      return invoices.byStatus['3']?.count ?? 0;
  }
}

/** Computes the rules of every merchant from tick to tick, independently of the functions. */
export class AlertLedger {
  readonly #world: World;
  readonly #models = new Map<string, AlertModel>();
  readonly told: ToldCheck[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** After a tick (ISO 8601, UTC). `isCalm`: no fault was active during the tick, so that no check may have failed. */
  async look(tick: string, merchants: readonly SoakMerchant[], isCalm: boolean): Promise<BrokenPromise[]> {
    const watched = merchants.filter(({ rules }) => rules.length > 0);
    return (await Promise.all(watched.map((merchant) => this.#lookAt(tick, merchant, isCalm)))).flat();
  }

  async #lookAt(tick: string, merchant: SoakMerchant, isCalm: boolean): Promise<BrokenPromise[]> {
    const { merchantCode } = merchant.account;
    const day = dayAt(Date.parse(tick), merchant.timeZone);
    const broken = (what: string): BrokenPromise => ({
      merchantCode,
      day,
      what: `alerts at ${tick}: ${what}`,
    });
    const body = await this.#world.aws.s3.read(this.#world.bucket, alertStateKey(merchantCode));
    const state = body && alertStateSchema.parse(JSON.parse(body.toString('utf8')));
    if (state === undefined) return isCalm ? [broken('the check did not count')] : [];
    const model = this.#models.get(merchantCode) ?? new AlertModel(merchant.rules);
    this.#models.set(merchantCode, model);
    const isUnknown = ({ name }: SoakRule) => (state.rules[name]?.noDataSince ?? null) !== null;
    const expected = model.expected(day, (rule) =>
      isUnknown(rule) ? null : figureOf(this.#world, merchantCode, day, rule),
    );
    // A check that died before it wrote changed nothing, and a quiet one writes nothing.
    if (expected.moves && Date.parse(state.tick) !== Date.parse(tick)) {
      return isCalm ? [broken('the check did not count')] : [];
    }
    model.count(expected);
    if (expected.tells) {
      this.told.push({ merchantCode, tick: `${tick.slice(0, 19).replaceAll(/[-:]/g, '')}Z` });
    }
    const unknown = isCalm ? merchant.rules.filter(isUnknown) : [];
    const wrong = [...expected.standings].filter(([name, { place }]) => state.rules[name]?.place !== place);
    return [
      ...(state.day === day ? [] : [broken(`they are the states of ${state.day}`)]),
      ...unknown.map(({ name }) => broken(`${name} has no data, without any fault`)),
      ...wrong.map(([name, { place }]) =>
        broken(`${name} is at ${state.rules[name]?.place ?? 'none'}, not ${place}`),
      ),
    ];
  }
}
