import { LARGEST_DAY, fleetSizes, invoicesAt } from '#bench/fleet/sizes.ts';

const fleet = fleetSizes(10_000, 'daybook');
const invoices = fleet.map((day) => day.invoices);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const between = (least: number, most: number) => invoices.filter((n) => n >= least && n <= most).length;

describe('the sizes of a fleet', () => {
  it('are tens of invoices for most merchants, 100,000 for a few and none for some, and a little over a million together', () => {
    expect(between(10, 99)).toBeGreaterThan(6_000);
    expect(between(LARGEST_DAY, Infinity)).toBe(3);
    expect(Math.abs(between(0, 0) - 600)).toBeLessThan(3);
    expect(sum(invoices)).toBeGreaterThan(1_000_000);
    expect(sum(invoices)).toBeLessThan(1_500_000);
  });

  it('never fall along the distribution, not even where its parts meet', () => {
    const places = Array.from({ length: 20_000 }, (_, index) => index / 20_000).map(invoicesAt);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('begin with the sizes of a smaller fleet, so a small fleet is a fair sample', () => {
    for (const merchants of [100, 1_000]) {
      const smaller = fleetSizes(merchants, 'daybook');
      expect(fleet.slice(0, merchants)).toEqual(smaller);
      const sorted = smaller.map((day) => day.invoices).sort((a, b) => a - b);
      // The exact quantiles of the whole fleet, to one place.
      const all = invoices.toSorted((a, b) => a - b);
      for (const share of [0.1, 0.5, 0.9]) {
        const at = Math.floor(share * merchants);
        const from = all[Math.floor(((at - 1) / merchants) * all.length)] ?? NaN;
        const to = all[Math.floor(((at + 1) / merchants) * all.length)] ?? NaN;
        expect(sorted[at]).toBeGreaterThanOrEqual(from);
        expect(sorted[at]).toBeLessThanOrEqual(to);
      }
    }
  });

  it('are the same for the same seed, and differ for another seed', () => {
    expect(fleetSizes(50, 'one')).toEqual(fleetSizes(50, 'one'));
    expect(fleetSizes(50, 'one')).not.toEqual(fleetSizes(50, 'two'));
  });

  it('include two refunds for each hundred invoices', () => {
    expect(sum(fleet.map((day) => day.refunds)) / sum(invoices)).toBeCloseTo(0.02, 3);
  });
});
