import { addDays } from '#records/day/business-day.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement, type StatementInput } from '#page/rendering/statement/render-statement.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import type { Language } from '#mail/texts/texts.ts';
import { aLine, anAlert, anItem } from './alerts.ts';
import { EMPTY_FIGURES } from '../records/manifests.ts';
import { attachedFiles, aCorrection, aManifest, aReport, NO_AMOUNTS } from './reports.ts';
import {
  aGroupInput,
  aGroupPage,
  aMember,
  aGroupCorrection,
  aStatement,
  aStatementInput,
} from './statements.ts';

/** The largest amount of the contract. */
const HUGE = '123456789012345678901234567890.123';
/** The largest count. */
const MOST = 9_007_199_254_740_991;

/** The largest figures of a day or a period, with the most statuses. */
function longestFigures() {
  const amounts = { paid: HUGE, notPaid: HUGE, cancelled: HUGE, other: HUGE };
  const counts = { total: MOST, paid: MOST, notPaid: MOST, cancelled: MOST, other: MOST };
  const byStatus = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `a-status-of-forty-letters-${index}`,
      { count: MOST, total: HUGE },
    ]),
  );
  const totals = { count: MOST, total: HUGE, byStatus };
  const net = {
    basis: 'cameIn' as const,
    received: HUGE,
    refunded: HUGE,
    pending: { count: MOST, total: HUGE },
    chargeColumns: [...CHARGE_COLUMNS],
    charges: HUGE,
    net: HUGE,
    unknown: [],
  };
  return { counts, amounts, refunds: { ...totals, saleBasis: totals }, net };
}

const most = { count: MOST, sum: HUGE };

/** The largest sum of what came in, by these methods. */
function longestReceived(methods: (string | null)[]) {
  return {
    ...most,
    ofEarlier: most,
    byMethod: methods.map((method) => ({ method, count: MOST, amount: HUGE })),
    charges: CHARGE_COLUMNS.map((column) => ({ column, total: HUGE })),
    basis: { paidOn: MOST, seen: MOST, otherCurrency: MOST },
  };
}

/** A report with the largest figures and the longest lists, in which this text stands wherever one from outside may. */
export function longestReport(language: Language, text: string): RenderedMail {
  const { amounts, counts, refunds } = longestFigures();
  const manifest = aManifest({
    balanced: false,
    counts,
    amounts,
    received: longestReceived(Array.from({ length: 21 }, () => text)),
    refunds,
    differences: Array.from({ length: 200 }, () => ({ what: text, service: text, rows: text })),
    notCompared: Array.from({ length: 200 }, () => ({
      what: `invoice_type of invoiceType ${text}`,
      service: MOST,
      rows: 0,
      ids: [text, text, text, text, text],
    })),
  });
  const invoice = {
    id: String(MOST),
    reference: text,
    customer: text,
    amount: HUGE,
    expiresAt: '2026-11-22',
    url: `https://pay.example.com/${'x'.repeat(470)}`,
  };
  const five = Array.from({ length: 5 }, () => invoice);
  const byType = Array.from({ length: 40 }, (_, type) => {
    return { ...counts, type: String(type), count: MOST, amount: HUGE };
  });
  return renderReport(
    aReport({
      merchant: { name: text, language, charges: CHARGE_COLUMNS },
      manifest,
      history: Array.from({ length: 28 }, (_, index) => {
        const refunds = { count: MOST, total: HUGE };
        const figures = { balanced: index !== 2, counts, amounts, refunds };
        const first = { ...figures, received: most };
        return { day: addDays(manifest.day, -1 - index), revision: 1, ...figures, first };
      }),
      preview: true,
      highlights: { largestUnpaid: five, expiringSoon: five, expiringSoonCount: MOST, byType },
      attachments: [{ kind: 'too-big', format: 'csv', rows: MOST }, ...attachedFiles(MOST, 'xlsx')],
    }),
  );
}

/** A correction with the largest figures and the longest lists. The text stands wherever one from outside may. */
export function longestCorrection(language: Language, text: string): RenderedMail {
  const { amounts, counts, refunds } = longestFigures();
  const changed = Array.from({ length: 10 }, (_, index) => ({
    id: `${MOST}${index}`,
    was: { state: text, basis: null, amount: HUGE },
    is: { state: `${text}!`, basis: null, amount: `-${HUGE}` },
  }));
  return renderCorrection(
    aCorrection({
      merchant: { name: text, language, charges: CHARGE_COLUMNS },
      manifest: aManifest({ revision: 9_999, balanced: false, counts, amounts, refunds }),
      before: {
        ...EMPTY_FIGURES,
        amounts: { ...NO_AMOUNTS, paid: `-${HUGE}` },
        received: { count: 0, sum: `-${HUGE}` },
      },
      rows: { invoices: { count: MOST, first: changed }, refunds: { count: MOST, first: changed } },
      paidTwice: { count: MOST, first: [] },
      attachments: attachedFiles(MOST, 'csv', 'xlsx'),
    }),
  );
}

/** An alert of so many rules as a merchant will hardly ever have. */
export function longestAlert(language: Language, text: string): RenderedMail {
  const items = Array.from({ length: 5 }, () =>
    anItem({ id: '9'.repeat(64), reference: text, amount: HUGE }),
  );
  const lines = Array.from({ length: 200 }, (_, index) =>
    aLine({
      rule: `${'r'.repeat(58)}-${index}`,
      measure: 'unpaidAmount',
      unit: 'amount',
      value: HUGE,
      bound: { side: 'above', at: HUGE },
      course: { began: HUGE, worst: HUGE },
      title: `${text.slice(0, 75)}-${index}`,
      note: text.slice(0, 300),
      items: index < 5 ? items : [],
    }),
  );
  return renderAlert(anAlert({ merchant: { name: text, language }, lines }));
}

function longestStatementInput(language: Language, text: string): StatementInput {
  const figures = longestFigures();
  const { counts, amounts } = figures;
  const sealed = aStatement({ period: '2026-10' });
  const refunds = { count: MOST, total: HUGE };
  const compared = {
    revision: 9_999,
    final: false,
    counts,
    amounts,
    refunds,
    received: `-${HUGE}`,
    net: HUGE,
  };
  const named = [...Array.from({ length: 20 }, (_, index) => `${text.slice(0, 55)}-${index}`), null];
  const received = longestReceived(named);
  const { byMethod, charges } = received;
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
      received,
      issued: { ...most, paid: most, open: most, expired: most, cancelled: most, other: most },
      ...{ openBefore: most, expired: most, openAfter: most },
      settled: { paid: most, cancelled: most, other: most },
      ageing: sealed.ageing?.map((age) => ({ ...age, open: most, expired: most })) ?? null,
      missing: sealed.days.filter((_, index) => index % 2 === 0).map(({ day }) => day),
      unbalanced: sealed.days.filter((_, index) => index % 2 === 1).map(({ day }) => day),
      before: { ...compared, period: '2026-09' },
      lastYear: { ...compared, period: '2025-10' },
      breakdown: {
        byType: named.map((type) => ({ type, all: { count: MOST, amount: HUGE }, states: null })),
        ...{ byMethod, charges },
      },
    },
    preview: true,
    attachments: [...attachedFiles(7, 'pdf'), { kind: 'too-big', format: 'xlsx', rows: MOST }],
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
  const named = { merchantCode: '9'.repeat(64), name: text };
  const { member } = aMember(named.merchantCode, {
    ...{ ...named, counts, amounts, balanced: false, final: false, revision: 9_999 },
    refunds: { count: MOST, total: HUGE },
    received: `-${HUGE}`,
    refunded: HUGE,
    usual: { received: HUGE, total: MOST },
  });
  const currencies = ['KWD', 'SAR', 'USD'];
  const sum = { merchants: MOST, ...figures };
  return renderGroup(
    aGroupInput(
      {
        ...aGroupPage([]),
        final: false,
        revision: 9_999,
        merchants: Array.from({ length: merchants }, (_, index) => {
          return { ...member, currency: currencies[index % 3] ?? 'KWD' };
        }),
        byCurrency: Object.fromEntries(currencies.map((currency) => [currency, sum])),
        missing: Array.from({ length: 500 }, () => ({ ...named, reason: 'not-usable' })),
        corrections: Array.from({ length: 500 }, () =>
          aGroupCorrection({
            ...{ ...named, fromRevision: 9_998, toRevision: 9_999 },
            before: { received: `-${HUGE}`, refunds: HUGE },
            after: { received: HUGE, refunds: `-${HUGE}` },
          }),
        ),
      },
      {
        group: { name: 'g'.repeat(64), language, timeZone: 'Asia/Kuwait' },
        preview: true,
        attachments: [{ kind: 'too-big', format: 'xlsx', rows: MOST }],
      },
    ),
  );
}

const LONG_WORDS = 'a word of many letters: ' + 'Donaudampfschifffahrtsgesellschaft'.repeat(14);
const STRANGE = `<script>alert(1)</script> \u202Etxt.exe\u202C 👩‍👩‍👧‍👦🇰🇼 مطعم ${'x'.repeat(430)}`;

export function longestMails(language: Language): { name: string; mail: RenderedMail }[] {
  return [
    { name: 'longest report', mail: longestReport(language, LONG_WORDS) },
    { name: 'strangest report', mail: longestReport(language, STRANGE) },
    { name: 'longest correction', mail: longestCorrection(language, LONG_WORDS) },
    { name: 'longest statement', mail: longestStatement(language, LONG_WORDS) },
    { name: 'longest statement correction', mail: longestStatementCorrection(language, LONG_WORDS) },
    { name: 'longest group', mail: longestGroup(language, LONG_WORDS) },
    { name: 'strangest group', mail: longestGroup(language, STRANGE) },
    { name: 'longest alert', mail: longestAlert(language, LONG_WORDS) },
  ];
}
