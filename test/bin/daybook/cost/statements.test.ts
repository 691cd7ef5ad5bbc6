import { describe, expect, it } from 'vitest';
import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import { statementMails, statementsBill, statementsRent } from '#bin/daybook/cost/model/statements-bill.ts';
import { statementParts, togetherOf } from '#bin/daybook/cost/model/statements-use.ts';
import { registryStatements } from '#bin/daybook/cost/registry-statements.ts';
import { parseRegistry } from '#domain/registry/registry.ts';
import { registryText } from '#support/plan/merchants.ts';
import { defined } from '#support/assertions/defined.ts';

const WEEKLY = { on: 'sunday', at: '08:00' };
const MONTHLY = { onDay: 1, at: '09:00' };
const SURROUNDINGS = {
  merchants: 3,
  ticks: 96,
  memory: { statement: 512, plan: 1_024 },
  workbookADay: 50_000,
  kept: 400,
};

const RECIPIENTS = ['a@example.com', 'b@example.com'];

function registryOf(statements: readonly (object | null)[], groups: readonly object[] = []) {
  const merchants = statements.map((own, index) => ({
    merchantCode: `70000${index + 1}`,
    recipients: RECIPIENTS,
    statements: own,
  }));
  return parseRegistry(registryText(merchants, { groups }));
}

const GROUP = { name: 'shops', merchants: 'all', recipients: ['boss@example.com'] };

/** The use of each kind. */
function partsOf(statements: readonly (object | null)[], groups: readonly object[] = []) {
  const counts = defined(registryStatements(registryOf(statements, groups)));
  const parts = statementParts(counts, SURROUNDINGS);
  return { counts, parts, uses: new Map(parts.map(({ what, use }) => [what, use])) };
}

describe('the statements of a registry', () => {
  it('are none when no merchant and no group asks for them', () => {
    expect(registryStatements(registryOf([null, null], [GROUP]))).toBeUndefined();
  });

  it('are counted by kind, with a mail for each recipient', () => {
    const { counts } = partsOf([{ weekly: WEEKLY, monthly: MONTHLY }, { monthly: MONTHLY }, null]);
    expect(counts.weeks).toEqual({ statements: 1, mails: 2, mailsWithWorkbook: 0 });
    expect(counts.months).toEqual({ statements: 2, mails: 4, mailsWithWorkbook: 0 });
    expect(counts.due).toEqual({ days: 0, weeks: 1, months: 1 });
  });

  it('have those that only a group adds up, without a mail', () => {
    const { counts } = partsOf(
      [{ monthly: MONTHLY }, null, null],
      [{ ...GROUP, daily: true, monthly: MONTHLY }],
    );
    expect(counts.months).toEqual({ statements: 3, mails: 2, mailsWithWorkbook: 0 });
    expect(counts.weeks.statements).toBe(0);
    expect(counts.pages.days).toMatchObject([{ merchants: 3, mails: 1 }]);
    expect(counts.pages.weeks).toEqual([]);
    expect(counts.pages.months).toMatchObject([{ merchants: 3, mails: 1 }]);
  });

  it('of thirty days are one month, 4.3 weeks and thirty pages of days', () => {
    const { uses } = partsOf(
      [{ weekly: WEEKLY, monthly: MONTHLY }],
      [{ ...GROUP, daily: true, weekly: WEEKLY, monthly: MONTHLY }],
    );
    const numbers = [...uses].map(([what, { statements }]) => [what, statements]);
    expect(numbers).toEqual([
      ['statements of weeks', 30 / 7],
      ['statements of months', 1],
      ["groups' pages of days", 30],
      ["groups' pages of weeks", 30 / 7],
      ["groups' pages of months", 1],
      ['looks at what is due', 0],
    ]);
  });

  it('read every day once, and a page every merchant', () => {
    const { uses } = partsOf([{ monthly: MONTHLY }], [{ ...GROUP, monthly: MONTHLY }]);
    expect(defined(uses.get('statements of months'))).toMatchObject({ s3Reads: 37, s3Writes: 3 });
    expect(defined(uses.get("groups' pages of months"))).toMatchObject({ s3Reads: 8, s3Writes: 6 });
  });

  it('are made in batches, and a page by itself', () => {
    const many = Array.from({ length: 8 }, () => ({ monthly: MONTHLY }));
    const groups = [{ ...GROUP, daily: true, monthly: MONTHLY }];
    const { uses } = partsOf(many, groups);
    expect(defined(uses.get('statements of months'))).toMatchObject({ statements: 8, children: 1 });
    expect(defined(uses.get("groups' pages of months"))).toMatchObject({ children: 1 });
    expect(defined(uses.get("groups' pages of days"))).toMatchObject({ children: 30 });
  });

  it('have a PDF in each mail', () => {
    const { uses } = partsOf([{ monthly: MONTHLY }]);
    expect(defined(uses.get('statements of months'))).toMatchObject({ mails: 2, attachmentBytes: 146_000 });
  });

  it('cost the looks of every tick', () => {
    const { uses } = partsOf([{ monthly: MONTHLY }]);
    const looks = defined(uses.get('looks at what is due'));
    expect(looks).toMatchObject({ planCalls: 2_881, transitions: 2_880 * 3 + 3 });
    // 36 hours of every tick; then an hour of each of 45 days with 30 days and two listings more.
    expect(looks.listed).toBe(1.5 * 96 * 2 + 45 * 4 * 32);
  });
});

describe('the bill of statements', () => {
  const { parts } = partsOf([{ monthly: MONTHLY }, { monthly: MONTHLY }]);
  const use = togetherOf(parts, SURROUNDINGS);

  it('keeps what is paid once apart from the rent', () => {
    const once = totalOf(statementsBill(use)) + statementMails(use);
    const longer = { ...use, kept: 800 };
    expect(totalOf(statementsBill(longer)) + statementMails(longer)).toBe(once);
    expect(statementsRent(longer)).toBeCloseTo(2 * statementsRent(use), 12);
    // Each month adds 24.55 kB; 400 days of them are kept.
    expect(statementsRent(use)).toBeCloseTo((((2 * 24_550 * 400) / 30) * 0.023) / 1e9, 9);
  });

  it('is the sum of its kinds', () => {
    const sum = parts.reduce((total, part) => total + totalOf(statementsBill(part.use)), 0);
    expect(totalOf(statementsBill(use))).toBeCloseTo(sum, 12);
  });

  it('grows with what it counts', () => {
    for (const name of [
      'statements',
      'planCalls',
      'transitions',
      'children',
      's3Writes',
      's3Reads',
      'listed',
      'logBytes',
    ] as const) {
      const more = { ...use, [name]: use[name] * 2 };
      expect(totalOf(statementsBill(more)), name).toBeGreaterThan(totalOf(statementsBill(use)));
    }
  });
});
