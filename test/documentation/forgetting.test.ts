import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  eraseCustomer,
  findCustomer,
  findCustomerInHistory,
  expireNow,
  findMerchantInGroups,
  eraseMerchant,
  findMerchant,
} from '#support/lake/forget.ts';
import { INVOICES_HISTORY, REFUNDS_HISTORY } from '#lake/sql/history-tables.ts';
import { dataLifecycle } from '#lib/data-stack.ts';
import { readSettings } from '#lib/settings.ts';
import { ROOT } from '#support/documentation/claims.ts';

const text = readFileSync(join(ROOT, 'docs/forgetting.md'), 'utf8');
const blocks = [...text.matchAll(/```sql\n([^]*?)\n```/g)].map(([, sql]) => sql);

const CUSTOMER = { text: 'customer@example.com' };
const MERCHANT = '700001';

/** Statements of one block, each with a semicolon. */
function all(statements: readonly string[], between: string): string {
  return statements.map((sql) => `${sql};`).join(between);
}

describe('docs/forgetting.md', () => {
  it('has exactly the statements that the tests run', () => {
    const erase = (['invoices', 'refunds'] as const).map((of) =>
      eraseCustomer({ ...CUSTOMER, of, table: `${of}_history` }),
    );
    expect(blocks).toEqual([
      findCustomer({ ...CUSTOMER, from: '2026-01-01' }),
      all(erase, '\n\n'),
      all([INVOICES_HISTORY, REFUNDS_HISTORY].flatMap(expireNow), '\n'),
      findCustomerInHistory(CUSTOMER),
      findMerchantInGroups(MERCHANT),
      all(eraseMerchant(MERCHANT), '\n'),
      findMerchant(MERCHANT),
    ]);
  });

  it('sums up how long data of a customer can stay', () => {
    const steps = [...text.matchAll(/^\| [^|*]+\| (\d+) +\|$/gm)].map(([, days]) => Number(days));
    const sum = steps.reduce((one, other) => one + other, 0);
    expect(text).toContain(`dataDays + ${sum}`);
    const { dataDays } = readSettings('prod').retention;
    expect(text).toContain(`with ${dataDays} \`dataDays\``);
    expect(text).toContain(`after ${dataDays + sum} days`);
  });

  it('says how long old versions stay', () => {
    const rules = dataLifecycle(readSettings('prod').retention);
    const monthly = rules.filter(({ noncurrentVersionExpiration: kept }) => kept?.toDays() === 30);
    const others = rules.filter(
      ({ prefix }) => prefix !== undefined && !monthly.some((rule) => rule.prefix === prefix),
    );
    expect(monthly.map(({ prefix }) => prefix).sort()).toEqual(['config/', 'days/', 'mail/', 'statements/']);
    expect(new Set(others.map(({ noncurrentVersionExpiration: kept }) => kept?.toDays()))).toEqual(
      new Set([1]),
    );
    expect(text).toMatch(/^\| … of `days\/`, `statements\/`, `mail\/` and `config\/` .*after 30 days/m);
    expect(text).toMatch(/^\| old versions of objects .*after one day/m);
  });
});
