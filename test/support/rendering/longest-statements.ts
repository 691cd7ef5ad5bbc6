import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement, type StatementInput } from '#page/rendering/statement/render-statement.ts';
import type { Language } from '#mail/texts/texts.ts';
import { aGroupInput, aGroupPage, aMember } from './groups.ts';
import { HUGE, MOST, longestFigures } from './longest-figures.ts';
import { aStatement, aStatementInput } from './statements.ts';

function longestStatementInput(language: Language, text: string): StatementInput {
  const figures = longestFigures();
  const { counts, amounts } = figures;
  const sealed = aStatement({ period: '2026-10' });
  const compared = {
    revision: 9_999,
    final: false,
    counts,
    amounts,
    refunds: { count: MOST, total: HUGE },
    received: `-${HUGE}`,
    net: HUGE,
  };
  const most = { count: MOST, sum: HUGE };
  const named = Array.from({ length: 20 }, (_, index) => `${text.slice(0, 55)}-${index}`);
  return aStatementInput({
    merchant: { name: text, language },
    statement: {
      ...sealed,
      ...figures,
      final: false,
      revision: 9_999,
      days: sealed.days.map((day) => ({
        ...day,
        ...figures,
        balanced: false,
        received: day.received && { ...day.received, ...most },
      })),
      received: {
        ...most,
        ofEarlier: most,
        byMethod: [...named, null].map((method) => ({ method, count: MOST, amount: HUGE })),
        charges: CHARGE_COLUMNS.map((column) => ({ column, total: HUGE })),
        basis: { paidOn: MOST, seen: MOST, otherCurrency: MOST },
      },
      issued: { ...most, paid: most, open: most, expired: most, cancelled: most, other: most },
      openBefore: most,
      settled: { paid: most, cancelled: most, other: most },
      expired: most,
      openAfter: most,
      ageing: sealed.ageing?.map((age) => ({ ...age, open: most, expired: most })) ?? null,
      missing: sealed.days.filter((_, index) => index % 2 === 0).map(({ day }) => day),
      unbalanced: sealed.days.filter((_, index) => index % 2 === 1).map(({ day }) => day),
      before: { ...compared, period: '2026-09' },
      lastYear: { ...compared, period: '2025-10' },
      breakdown: {
        byType: [...named, null].map((type) => ({ type, all: { count: MOST, amount: HUGE }, states: null })),
        byMethod: [...named, null].map((method) => ({ method, count: MOST, amount: HUGE })),
        charges: CHARGE_COLUMNS.map((column) => ({ column, total: HUGE })),
      },
    },
    preview: true,
    attachments: [
      { kind: 'attached', format: 'pdf', rows: 7 },
      { kind: 'too-big', format: 'xlsx', rows: MOST },
    ],
  });
}

/** A statement with the largest figures and the longest lists. The text stands wherever one from outside may. */
export function longestStatement(language: Language, text: string): RenderedMail {
  return renderStatement(longestStatementInput(language, text));
}

/** The same of its correction: every figure and every day changed. */
export function longestStatementCorrection(language: Language, text: string): RenderedMail {
  const input = longestStatementInput(language, text);
  const before = aStatement({ period: '2026-10' }, { final: true });
  const days = input.statement.days.map((day) => ({ ...day, revision: 9_999 }));
  return renderStatementCorrection({ ...input, statement: { ...input.statement, days }, before });
}

/** A group's page of many merchants with the largest figures. The text stands wherever one from outside may. */
export function longestGroup(language: Language, text: string, merchants = 300): RenderedMail {
  const figures = longestFigures();
  const { counts, amounts } = figures;
  const { member } = aMember('9'.repeat(64), {
    name: text,
    counts,
    amounts,
    refunds: { count: MOST, total: HUGE },
    received: `-${HUGE}`,
    refunded: HUGE,
    usual: { received: HUGE, total: MOST },
    balanced: false,
    final: false,
    revision: 9_999,
  });
  const currencies = ['KWD', 'SAR', 'USD'];
  const sum = { merchants: MOST, ...figures };
  const changed = { received: `-${HUGE}`, refunds: HUGE };
  return renderGroup(
    aGroupInput(
      {
        ...aGroupPage([]),
        final: false,
        revision: 9_999,
        merchants: Array.from({ length: merchants }, (_, index) => ({
          ...member,
          currency: currencies[index % 3] ?? 'KWD',
        })),
        byCurrency: Object.fromEntries(currencies.map((currency) => [currency, sum])),
        missing: Array.from({ length: 500 }, () => ({
          merchantCode: '9'.repeat(64),
          name: text,
          reason: 'not-usable',
        })),
        corrections: Array.from({ length: 500 }, () => ({
          merchantCode: '9'.repeat(64),
          name: text,
          currency: 'KWD',
          period: '2026-11-19',
          fromRevision: 9_998,
          toRevision: 9_999,
          before: changed,
          after: { received: HUGE, refunds: `-${HUGE}` },
        })),
      },
      {
        group: { name: 'g'.repeat(64), language, timeZone: 'Asia/Kuwait' },
        preview: true,
        attachments: [{ kind: 'too-big', format: 'xlsx', rows: MOST }],
      },
    ),
  );
}
