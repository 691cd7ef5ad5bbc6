import { addDays } from '#records/day/business-day.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import { MOVED } from '#page/figures/adjustments.ts';
import type { Adjustment } from '#page/figures/statement.ts';
import { netOfPage } from '#page/figures/compose-statement.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { fc, forAllAsync, defined, textLike } from '#support/assertions/index.ts';
import { sealPage } from '#support/statement/statement-world.ts';
import { CODE, useWorld } from '#support/world/daybook-world.ts';
import { importFiles, Ledger, paid, reopen, standing, tick } from './closing-steps.ts';

const world = useWorld();
const at = (time: string) => world.clock.setTo(`${time}.000Z`);

describe('closed statements and adjustments', () => {
  const WEEKS = ['2026-W45', '2026-W46', '2026-W47', '2026-W48'];
  const days = WEEKS.flatMap((week) => daysOf(periodDays(week, 'sunday')));
  const thousandths = fc.bigInt({ min: 0n, max: 10n ** 17n }).map(formatAmount);
  const change = fc.record({
    does: fc.constant('change' as const),
    back: fc.nat(20),
    payments: fc.nat(50),
    received: thousandths,
    refunded: thousandths,
    balanced: fc.boolean(),
    currency: fc.constantFrom('KWD', 'KWD', 'KWD', 'USD'),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 5, arbitrary: fc.record({ does: fc.constant('look' as const) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('reopen' as const), back: fc.nat(3) }) },
  );

  const statements = async () =>
    (await Promise.all(WEEKS.map((week) => standing(world, week)))).flatMap((one) => one ?? []);

  /** What closed statements and all adjustments say of each day and figure, against the newest pages. */
  async function expectInAgreement(pages: ReadonlyMap<string, Manifest>): Promise<void> {
    const all = await statements();
    const closed = all.filter(({ closedAt }) => closedAt !== undefined);
    const adjustments = all.flatMap((one) => one.adjustments ?? []);
    for (const { period, days: named, currency } of closed) {
      const told = new Map<string, (bigint | null)[]>();
      const add = (key: string, values: readonly (bigint | null)[]) => {
        const before = told.get(key) ?? values.map(() => 0n);
        told.set(
          key,
          values.map((value, index) => sumOf(before[index] ?? null, value)),
        );
      };
      for (const { day, currency: own = currency, net, received } of named)
        add(`${day} ${own}`, valuesOf({ ...net, payments: received?.count ?? null }));
      for (const one of adjustments.filter((adjustment) => adjustment.period === period)) {
        const key = `${one.day} ${one.currency}`;
        // Where one of the two is unknown there is no difference: it says what is known now.
        const [was, is] = [valuesOf(one.was), valuesOf(one.is)];
        const before = told.get(key) ?? is.map(() => 0n);
        told.set(
          key,
          before.map((value, index) => {
            const [from, to] = [was[index] ?? null, is[index] ?? null];
            return value === null || from === null || to === null ? to : value + to - from;
          }),
        );
      }
      for (const day of daysOf(periodDays(period, 'sunday'))) {
        const page = defined(pages.get(day));
        const net = netOfPage(page, []);
        const now = valuesOf({ ...net, payments: page.received?.count ?? null });
        for (const currencyOf of ['KWD', 'USD']) {
          const said = told.get(`${day} ${currencyOf}`);
          const is = currencyOf === page.currency ? now : said && now.map(() => 0n);
          expect(said, `${period}, ${day}, ${currencyOf}`).toEqual(is);
        }
      }
    }
  }

  /** Who books each id of the import files once has what the newest pages say, in whichever order and however often. */
  async function expectBooked(pages: readonly Manifest[]): Promise<void> {
    const files = (await importFiles(world)).filter(({ name }) => name.startsWith('books-KWD'));
    const ledger = new Ledger();
    for (const file of [...files.filter((_, index) => index % 3 > 0).toReversed(), ...files, ...files])
      ledger.book(file);
    const sums = pages
      .filter(({ currency }) => currency === 'KWD')
      .map(({ received, refunds: { byStatus } }) => [received?.sum, byStatus['approved']?.total])
      .map(([received = '', refunded = '']) => parseSum(received) - parseSum(refunded));
    expect(ledger.sum()).toBe(formatAmount(sums.reduce((all, sum) => all + sum, 0n)));
  }

  it('always say together what the newest pages say, and no closed page ever changes', async () => {
    let closedInAll = 0;
    await forAllAsync(
      [fc.array(step, { minLength: 22, maxLength: 30 })],
      { numRuns: 4, seed: 20261127 },
      async (steps) => {
        await world.close();
        await world.begin();
        await world.putRegistry({
          [CODE]: {
            statements: { weekly: { on: 'sunday', at: '08:00' }, monthly: null, closeAfter: '4d' },
            books: { layout: 'odoo' },
          },
        });
        const pages = new Map<string, Manifest>();
        const closedPages = new Map<string, string>();
        let today = '2026-11-09';
        const seal = async (day: string, changes: Partial<Manifest>) => {
          const revision = (pages.get(day)?.revision ?? 0) + 1;
          pages.set(day, await sealPage(world, { day, revision, ...changes }));
        };
        const look = async () => {
          at(`${today}T03:30:00`);
          for (const day of days) if (day < today && !pages.has(day)) await seal(day, { currency: 'KWD' });
          await tick(world, `${today}T05:00:00`);
          for (const key of world.keys(`statements/`)) {
            if (!/\/r\d{4}\.json$/.test(key)) continue;
            const text = await world.text(key);
            if (!text.includes('"closedAt"')) continue;
            expect(closedPages.get(key) ?? text).toBe(text);
            closedPages.set(key, text);
          }
          today = addDays(today, 1);
        };
        await look();
        for (const one of steps) {
          if (one.does === 'look') {
            await look();
            continue;
          }
          if (one.does === 'change') {
            const sealed = days.filter((day) => pages.has(day));
            const day = defined(sealed.at(-1 - (one.back % sealed.length)));
            const { payments, received, refunded, balanced, currency } = one;
            await seal(day, { ...paid(received, { payments, refunded }), balanced, currency });
            continue;
          }
          const closed = (await statements()).filter(({ closedAt }) => closedAt !== undefined);
          const statement = closed[one.back % closed.length];
          if (statement === undefined) continue;
          await reopen(world, statement, `${today}T04:00:00.000Z`);
          at(`${today}T04:00:00`);
          await world.statement({ merchantCode: CODE, period: statement.period });
        }
        for (const day of days)
          if (pages.get(day)?.balanced === false) await seal(day, { ...paid('1.001'), currency: 'KWD' });
        while (today <= '2026-11-30') await look();
        await look();
        closedInAll += closedPages.size;
        expect((await statements())[0]).toMatchObject({ period: WEEKS[0], closedAt: textLike('') });
        await expectInAgreement(pages);
        await expectBooked([...pages.values()]);
      },
    );
    expect(closedInAll).toBeGreaterThan(12);
  }, 300_000);
});

function sumOf(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || other === null ? null : one + other;
}

/** In thousandths, and the payments as they are. */
function valuesOf(
  moved: Record<(typeof MOVED)[number], string | number | null> | Adjustment['is'],
): (bigint | null)[] {
  return MOVED.map((name) => {
    const value = moved[name];
    return value === null ? null : typeof value === 'string' ? parseSum(value) : BigInt(value);
  });
}
