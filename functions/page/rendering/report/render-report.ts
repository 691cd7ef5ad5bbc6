import {
  linkedSections,
  oneNote,
  pageReference,
  paragraph,
  renderedMail,
  moneySection,
  typesSentence,
} from '../mail-parts.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import { dayLine } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { footerOf } from '#mail/template/footer.ts';
import type { MailPage, PageSection, RenderedMail, PageLine } from '#mail/template/mail-layout.ts';
import { basisOf, forOlder, headline, isEmpty, reportSubject, soFarTime } from './headline.ts';
import type { ReportInput } from './headline.ts';
import { invoicesSection, madeOn } from '../invoices-section.ts';
import { againstOthers } from './against-others.ts';
import { netPreheader, netKeyFigures } from '../net.ts';
import { olderSection } from './older-section.ts';
import { aboutSection, checkSection } from './report-sections.ts';
import { toDoSection } from './to-do-section.ts';
import { trendSection } from './trend.ts';
import { isComparison, type Comparison } from '#records/balance/comparisons.ts';
import type { Difference } from '#records/figures/figure-schemas.ts';

type DifferenceKind =
  'moving' | 'silent' | 'counts' | 'misplaced' | 'refunds' | 'repeated' | 'transactions' | 'several';

const KINDS: Record<Comparison, DifferenceKind> = {
  stablePages: 'moving',
  paginationTotal: 'counts',
  uniqueInvoiceIds: 'counts',
  statsTotal: 'counts',
  statsPaid: 'counts',
  statsNotPaid: 'counts',
  statsCancelled: 'counts',
  statsOther: 'counts',
  invoiceType: 'misplaced',
  invoiceDay: 'misplaced',
  refundListCount: 'refunds',
  refundListAmount: 'refunds',
  knownRefunds: 'refunds',
  repeatedFields: 'repeated',
  transactionCount: 'transactions',
  transactionAmount: 'transactions',
  transactionMethods: 'transactions',
  transactionIds: 'transactions',
};

/** Manifests of earlier versions have no names of comparisons. */
function kindOf({ name = '', what, service }: Difference): DifferenceKind {
  if (what === 'pages while they were read') return 'moving';
  if (what.startsWith('stats.') && service === null) return 'silent';
  if (isComparison(name)) return KINDS[name];
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

function checkStamp(input: ReportInput, net: Net | null, formatter: FigureFormatter): PageLine {
  const { manifest, isReadAgain } = input;
  const { texts } = formatter;
  if (!manifest.balanced) {
    const kind = texts.say(`stamp.${mainKind(manifest.differences)}`);
    const meaning = texts.say(isReadAgain ? 'stamp.correctionFollows' : 'stamp.askProvider');
    return { text: `${kind} ${meaning}`, tone: 'bad' };
  }
  if (manifest.notCompared.length > 0) return { text: texts.say('stamp.matchesApart'), tone: 'plain' };
  // A green check would say that every figure is there.
  if (net !== null && (net.net === null || Object.values(manifest.counts).includes(null)))
    return { text: texts.say('stamp.matchesKnown'), tone: 'plain' };
  const time = soFarTime(input, formatter);
  const text = time === null ? texts.say('stamp.matches') : texts.say('stamp.matchesSoFar', { time });
  return { text, tone: 'good' };
}

function sectionsOf(input: ReportInput, formatter: FigureFormatter): PageSection[] {
  const { merchant, manifest, highlights } = input;
  const words = merchant.attachments?.paymentMethods ?? {};
  // An unfinished day is not compared with whole ones.
  const history = soFarTime(input, formatter) === null ? input.history : [];
  const against = againstOthers({ ...manifest, history }, merchant, formatter);
  const made = invoicesSection(manifest, merchant.timeZone, against, formatter);
  const types = highlights === null ? [] : typesSentence(highlights.byType, formatter);
  const money = { byMethod: manifest.received?.byMethod ?? null, refunds: manifest.refunds };
  return [
    ...toDoSection(input, formatter),
    moneySection(money, 'day', words, formatter),
    { ...made, notes: oneNote([...made.notes, ...types]) },
    ...olderSection(input.older, formatter),
    ...trendSection(manifest, history, formatter),
    ...checkSection(manifest, formatter),
  ];
}

function pageOf(input: ReportInput, formatter: FigureFormatter): MailPage {
  const { merchant, manifest } = input;
  const { texts } = formatter;
  const { merchantCode, day } = manifest;
  const net = isEmpty(manifest) ? null : dayNet(manifest, merchant.charges ?? []);
  const unpaid = madeOn(manifest, merchant.timeZone).find(({ state }) => state === 'notPaid');
  return {
    texts,
    marks: input.preview ? [paragraph(texts.say('previewNote'))] : [],
    heading: formatter.outside(merchantName(merchant)),
    subheading: dayLine(day, texts),
    lead: headline(input, formatter),
    ...(net !== null && {
      leadNote: [...forOlder(manifest, formatter), basisOf(manifest, formatter)].join(' '),
      keyFigures: netKeyFigures(net, formatter),
    }),
    stamp: checkStamp(input, net, formatter),
    preheader:
      net === null
        ? texts.say('stamp.matches')
        : netPreheader(net, unpaid ?? { count: null, amount: null }, formatter),
    sections: [
      ...(net === null ? olderSection(input.older, formatter) : sectionsOf(input, formatter)),
      ...linkedSections(input.attachments, formatter),
      aboutSection(input, net, formatter),
    ],
    ...footerOf(merchant, input.preview ? 'preview' : 'report', formatter),
    reference: texts.say('reference', { reference: pageReference(merchantCode, day, manifest) }),
  };
}

/** The mail of a sealed revision: report or preview. The same input gives the same mail. */
export function renderReport(input: ReportInput): RenderedMail {
  return renderedMail(input, input.merchant, reportSubject, pageOf);
}
