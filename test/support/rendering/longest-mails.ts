import { addDays } from '#records/day/business-day.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import type { Language } from '#mail/texts/texts.ts';
import { aLine, anAlert, anItem } from './alerts.ts';
import { attachedFiles, aCorrection } from './corrections.ts';
import { HUGE, MOST, longestFigures } from './longest-figures.ts';
import { longestGroup, longestStatement, longestStatementCorrection } from './longest-statements.ts';
import { aManifest, aReport } from './reports.ts';

/** A report with the largest figures and the longest lists, in which this text stands wherever one from outside may. */
export function longestReport(language: Language, text: string): RenderedMail {
  const { amounts, counts, refunds } = longestFigures();
  const manifest = aManifest({
    balanced: false,
    counts,
    amounts,
    received: {
      count: MOST,
      sum: HUGE,
      ofEarlier: { count: MOST, sum: HUGE },
      byMethod: Array.from({ length: 21 }, () => ({ method: text, count: MOST, amount: HUGE })),
      charges: CHARGE_COLUMNS.map((column) => ({ column, total: HUGE })),
      basis: { paidOn: MOST, seen: MOST, otherCurrency: MOST },
    },
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
  return renderReport(
    aReport({
      merchant: { name: text, language, charges: CHARGE_COLUMNS },
      manifest,
      history: Array.from({ length: 28 }, (_, index) => {
        const refunds = { count: MOST, total: HUGE };
        const figures = { balanced: index !== 2, counts, amounts, refunds };
        const first = { ...figures, received: { count: MOST, sum: HUGE } };
        return { day: addDays(manifest.day, -1 - index), revision: 1, ...figures, first };
      }),
      preview: true,
      highlights: {
        largestUnpaid: five,
        expiringSoon: five,
        expiringSoonCount: MOST,
        byType: Array.from({ length: 40 }, (_, type) => ({
          type: String(type),
          count: MOST,
          amount: HUGE,
          paid: MOST,
          notPaid: MOST,
          cancelled: MOST,
          other: MOST,
        })),
      },
      attachments: [
        { kind: 'too-big', format: 'csv', rows: MOST },
        { kind: 'attached', format: 'xlsx', rows: MOST },
      ],
    }),
  );
}

/** A correction with the largest figures and the longest lists. The text stands wherever one from outside may. */
export function longestCorrection(language: Language, text: string): RenderedMail {
  const { amounts, counts, refunds } = longestFigures();
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  const changed = Array.from({ length: 10 }, (_, index) => ({
    id: `${MOST}${index}`,
    was: { state: text, basis: null, amount: HUGE },
    is: { state: `${text}!`, basis: null, amount: `-${HUGE}` },
  }));
  return renderCorrection(
    aCorrection({
      merchant: { name: text, language, charges: CHARGE_COLUMNS },
      manifest: aManifest({
        revision: 9_999,
        balanced: false,
        counts,
        amounts,
        refunds,
      }),
      before: {
        counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 },
        amounts: { paid: `-${HUGE}`, notPaid: '0.000', cancelled: '0.000', other: '0.000' },
        refunds: { ...nothing, saleBasis: nothing },
        balanced: true,
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
