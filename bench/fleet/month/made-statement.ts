import { daysOf, periodDays } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { comparedPeriod } from '#domain/statement/compared-period.ts';
import { composeStatement } from '#domain/statement/compose-statement.ts';
import type { Statement } from '#domain/statement/statement.ts';
import { pageKey } from '#domain/storage/keys.ts';
import type { DaySize } from '../sizes.ts';
import { madeManifest } from './made-manifest.ts';

/**
 * A merchant's sealed statement, as large as real ones.
 *
 * @param more invoices that a later revision of the first day has found
 */
export function madeStatement(
  merchantCode: string,
  period: Period,
  size: DaySize,
  { revision = 1, more = 0 }: { revision?: number; more?: number } = {},
): Statement {
  const { from, to } = periodDays(period, 'sunday');
  const pages = daysOf({ from, to }).map((day) =>
    madeManifest(merchantCode, day, size, day === from ? { revision, more } : {}),
  );
  const content = composeStatement({ merchantCode, period, from, to, currency: 'KWD', charges: [] }, pages);
  const owner = { merchantCode };
  const statement: Statement = {
    ...content,
    revision,
    sealedAt: `${to}T21:30:00.000Z`,
    scheduledTime: null,
    before: null,
    lastYear: null,
    previous: revision === 1 ? null : pageKey({ owner, period, revision: revision - 1 }),
  };
  // Real ones are compared with two other periods. Their figures do not matter here, and these have the right size.
  const compared = comparedPeriod(statement);
  return { ...statement, before: compared, lastYear: compared };
}

/** Makes the texts of statements. Merchants of one size have the same figures, which are added up once. */
export class StatementTexts {
  readonly #known = new Map<string, { made: Statement }>();

  textOf(...[merchantCode, period, size, changes = {}]: Parameters<typeof madeStatement>): string {
    const name = JSON.stringify([period, size, changes]);
    const made = this.#known.get(name)?.made ?? madeStatement(merchantCode, period, size, changes);
    this.#known.set(name, { made });
    const owner = { merchantCode };
    const { revision } = made;
    const previous = revision === 1 ? null : pageKey({ owner, period, revision: revision - 1 });
    return JSON.stringify({ ...made, merchantCode, previous });
  }
}
