import { MISSING_REASONS } from '#page/figures/group-page.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import type { Meaning } from '../lake-column.ts';

/** The meanings of the members of a group's page. */
export const GROUP_PAGE_MEANINGS: Record<keyof GroupPage, Meaning> = {
  group: { meaning: "The group's name in the registry." },
  period: {
    meaning:
      'The day (`2026-11-20`), the week (`2026-W47`) or the month (`2026-11`), which the partition has in two parts.',
  },
  from: {
    meaning: 'The earliest first day of its merchants: their weeks may begin on different days.',
    unit: 'YYYY-MM-DD',
  },
  to: { meaning: 'The latest last day of its merchants.', unit: 'YYYY-MM-DD' },
  revision: { meaning: 'Number of the revision; the first is 1, and there are no gaps.' },
  sealedAt: { meaning: 'When the revision was sealed.', unit: 'ISO 8601, UTC' },
  scheduledTime: { meaning: 'The tick that asked for it; null by hand.', unit: 'ISO 8601' },
  final: { meaning: "Whether no merchant is missing and every merchant's page is final." },
  merchants: {
    meaning: 'The merchants with a page: the revision that was added up and its figures.',
    unit: "counts, and amounts in the merchant's own currency",
  },
  missing: {
    meaning: `The merchants without a page, and why: ${MISSING_REASONS.join(', ')}.`,
    unit: 'JSON array of merchantCode, name, reason',
  },
  byCurrency: {
    meaning: 'The sums of the merchants by currency. Sums of different currencies are never added.',
    unit: 'counts, and amounts in the currency',
  },
  corrections: {
    meaning: "What changed since the group's page before was sent.",
    unit: 'JSON array of merchantCode, name, currency, period, fromRevision, toRevision, before, after',
  },
  digest: { meaning: 'Over the content, without comparisons and times.', unit: 'SHA-256, hex' },
  previous: { meaning: 'Key of the revision before; null for the first.' },
};
