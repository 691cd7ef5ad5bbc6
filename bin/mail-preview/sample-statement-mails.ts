import type { RenderedMail } from '#mail/template/mail-page.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import type { PageAttachment } from '#page/rendering/mail-parts.ts';
import type { Language } from '#mail/texts/texts.ts';
import { merchant } from './sample-day.ts';
import { sampleStatement } from './sample-statement.ts';

const CHARGES = ['admin_charge', 'service_charge'] as const;

function attached(period: string, revision = 1): PageAttachment[] {
  return (['pdf', 'xlsx'] as const).map((format) => ({
    kind: 'attached',
    format,
    filename: `statement-${period}-r${revision}-Al-Noor-Trading.${format}`,
    rows: 7,
  }));
}

/** A statement of a month. */
export function statementOfMonth(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: sampleStatement('2026-11', { charges: CHARGES }),
    preview: false,
    attachments: attached('2026-11'),
  });
}

/** A statement of a week, of a merchant that bears no charges. */
export function statementOfWeek(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: { ...sampleStatement('2026-W49'), lastYear: null },
    preview: false,
    attachments: attached('2026-W49'),
  });
}

/** A statement of a month of which some days are missing or not confirmed. */
export function provisionalStatement(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: sampleStatement('2026-11', {
      missing: ['2026-11-14', '2026-11-22', '2026-11-23'],
      unbalanced: ['2026-11-20'],
    }),
    preview: false,
    attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }],
  });
}

/** The mail that follows a provisional statement when its days have arrived. */
export function correctedStatement(language: Language): RenderedMail {
  return renderStatementCorrection({
    merchant: merchant(language),
    before: sampleStatement('2026-11', { missing: ['2026-11-23'], unbalanced: ['2026-11-20'] }),
    statement: sampleStatement('2026-11', { again: ['2026-11-18', '2026-11-20'], revision: 2 }),
    preview: false,
    attachments: attached('2026-11', 2),
  });
}
