import { isComparison } from '#domain/balance/comparisons.ts';
import type { Comparison } from '#domain/balance/comparisons.ts';
import type { Difference } from '#domain/figures/figures.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageLine } from '../page/mail-page.ts';
import { soFarTime } from './headline.ts';
import type { ReportInput } from './report-input.ts';

/** A kind of difference for which the stamp has a sentence. */
type DifferenceKind = 'moving' | 'silent' | 'counts' | 'misplaced' | 'refunds' | 'repeated' | 'several';

function kindOfComparison(name: Comparison): DifferenceKind {
  switch (name) {
    case 'stablePages':
      return 'moving';
    case 'paginationTotal':
    case 'uniqueInvoiceIds':
    case 'statsTotal':
    case 'statsPaid':
    case 'statsNotPaid':
    case 'statsCancelled':
    case 'statsOther':
      return 'counts';
    case 'invoiceType':
    case 'invoiceDay':
      return 'misplaced';
    case 'refundListCount':
    case 'refundListAmount':
    case 'knownRefunds':
      return 'refunds';
    case 'repeatedFields':
      return 'repeated';
  }
}

/** Manifests of earlier versions have no names of comparisons. */
function kindOf({ name = '', what, service }: Difference): DifferenceKind {
  if (what === 'pages while they were read') return 'moving';
  if (what.startsWith('stats.') && service === null) return 'silent';
  if (isComparison(name)) return kindOfComparison(name);
  if (what.startsWith('stats.') || what.startsWith('pagination.total')) return 'counts';
  return what.startsWith('refund ') ? 'refunds' : 'several';
}

/** When pages moved, that is the cause of the others. */
function mainKind(differences: readonly Difference[]): DifferenceKind {
  const kinds = new Set(differences.map(kindOf));
  if (kinds.has('moving')) return 'moving';
  const [only = 'several', ...others] = kinds;
  return others.length === 0 ? only : 'several';
}

/** Whether the figures are right, in one line. If not, what that means for the merchant. */
export function checkStamp(input: ReportInput, formatter: FigureFormatter): PageLine {
  const { manifest, isReadAgain } = input;
  const { texts } = formatter;
  if (!manifest.balanced) {
    const kind = texts.say(`stamp.${mainKind(manifest.differences)}`);
    const meaning = texts.say(isReadAgain ? 'stamp.correctionFollows' : 'stamp.askProvider');
    return { text: `${kind} ${meaning}`, tone: 'bad' };
  }
  if (manifest.notCompared.length > 0) return { text: texts.say('stamp.matchesApart'), tone: 'plain' };
  const time = soFarTime(input, formatter);
  const text = time === null ? texts.say('stamp.matches') : texts.say('stamp.matchesSoFar', { time });
  return { text, tone: 'good' };
}
