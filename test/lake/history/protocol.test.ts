import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LATEST_CHANGE, MARKER_SPAN } from '#records/storage/change-marker.ts';

/*
 * Markers, seals, merges and looks in any order, without an engine: statements are steps, and a step is atomic. The other tests
 * run the statements themselves.
 */

const MINUTE = 60_000;
/** The longest run of a function, minutes. */
const LONGEST_RUN = 15;

interface Page {
  sealed: number;
  invoices: number;
  refunds: number;
  days: number;
  mergedAt: number | undefined;
  markers: number[];
}

interface Step {
  at: number;
  do: (page: Page) => void;
}

/** A function's run: it writes its marker, and seals up to fifteen minutes later. */
const runs = fc.record({ at: fc.nat(60), seals: fc.nat(LONGEST_RUN) }).map(({ at, seals }): Step[] => [
  {
    at: at * MINUTE,
    do: ({ markers }) => markers.push(Math.floor((at * MINUTE) / MARKER_SPAN) * MARKER_SPAN),
  },
  { at: (at + seals) * MINUTE, do: (page) => void (page.sealed += 1) },
]);

const STATEMENTS: ((page: Page, mergedAt: number) => void)[] = [
  (page) => void (page.invoices = page.days === page.sealed ? page.invoices : page.sealed),
  (page) => void (page.refunds = page.days === page.sealed ? page.refunds : page.sealed),
  (page) => {
    if (page.invoices === page.sealed && page.refunds === page.sealed) page.days = page.sealed;
  },
  (page, mergedAt) => {
    if (page.days === page.sealed) page.mergedAt = Math.max(page.mergedAt ?? 0, mergedAt);
  },
];

/** A merge that may die after any statement; others run between its statements. */
const merges = fc
  .record({ at: fc.nat(60), waits: fc.array(fc.nat(4), { minLength: 1, maxLength: STATEMENTS.length }) })
  .map(({ at, waits }): Step[] => {
    let now = at;
    return waits.map((wait, index): Step => {
      now += wait;
      return { at: now * MINUTE, do: (page) => STATEMENTS[index]?.(page, at * MINUTE) };
    });
  });

/** Whether a look takes the day's rows from the history. */
function isMerged({ mergedAt, markers }: Page): boolean {
  return mergedAt !== undefined && !markers.some((notedAt) => notedAt > mergedAt - LATEST_CHANGE);
}

function live(steps: Step[], look: (page: Page) => void): Page {
  const page = { sealed: 0, invoices: 0, refunds: 0, days: 0, mergedAt: undefined, markers: [] };
  for (const step of steps.toSorted((a, b) => a.at - b.at)) {
    step.do(page);
    look(page);
  }
  return page;
}

const lives = fc.array(fc.oneof(runs, merges, merges), { maxLength: 8 }).map((lists) => lists.flat());

it('whatever happens, a look takes only days from the history that are there as they were sealed last', () => {
  let merged = 0;
  fc.assert(
    fc.property(lives, (steps) => {
      live(steps, (page) => {
        if (!isMerged(page)) return;
        merged += 1;
        expect([page.invoices, page.refunds, page.days]).toEqual([page.sealed, page.sealed, page.sealed]);
      });
    }),
    { numRuns: 10_000 },
  );
  expect(merged).toBeGreaterThan(1_000);
});

it('whatever happened, one quiet merge half an hour later brings the day into the history', () => {
  fc.assert(
    fc.property(lives, (steps) => {
      const page = live(steps, () => undefined);
      for (const statement of STATEMENTS) statement(page, 200 * MINUTE);
      expect(isMerged(page)).toBe(true);
      expect(page.days).toBe(page.sealed);
    }),
    { numRuns: 1_000 },
  );
});
