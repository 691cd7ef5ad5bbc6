import type { Net } from '#records/figures/day-net.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { moment } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { attachmentSentences, moreNotes, paragraph } from '../mail-parts.ts';
import { netSentences } from '../net.ts';
import type { ReportInput } from './headline.ts';
import { unlistedIn } from '#records/balance/comparisons.ts';
import { SUM_PATTERN } from '#records/money/money.ts';
import type { Difference } from '#records/figures/figure-schemas.ts';

function whatDiffers(what: string, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const name = `balance.what.${what}`;
  if (texts.has(name)) return texts.say(name);
  const invoiceType = /^pagination\.total of invoiceType (.+)$/.exec(what)?.[1];
  if (invoiceType !== undefined)
    return texts.say('balance.pagesOfType', { type: formatter.outside(invoiceType) });
  const refundId = /^refund (\d+)$/.exec(what)?.[1];
  if (refundId !== undefined) return texts.say('balance.refund', { id: formatter.outside(refundId) });
  return formatter.outside(what);
}

function sideSays(value: Difference['service'], formatter: FigureFormatter): string {
  if (value === null || typeof value === 'number') return formatter.count(value);
  return SUM_PATTERN.test(value) ? formatter.amount(value) : formatter.outside(value);
}

/** Invoices of another type or day than requested: how many, and the first ids. */
function misplacedSentence(
  { what, service, rows, ids }: Difference,
  formatter: FigureFormatter,
): string | undefined {
  const { texts } = formatter;
  const invoiceType = /^invoice_type of invoiceType (.+)$/.exec(what)?.[1];
  if (typeof service !== 'number' || typeof rows !== 'number' || ids === undefined) return undefined;
  const shown = ids.map((id) => formatter.outside(id)).join(texts.say('comma'));
  const values = { all: formatter.count(service), count: service - rows, ids: shown };
  if (invoiceType !== undefined)
    return texts.say('balance.otherType', { ...values, type: formatter.outside(invoiceType) });
  return what === 'day of the invoices' ? texts.say('balance.otherDay', values) : undefined;
}

/** Fields that the manifest does not name: there are too many, or the name is not a plain word. */
const UNNAMED = new Set(['further fields', '(another name)']);

function repeatedSentence({ what, service }: Difference, formatter: FigureFormatter): string | undefined {
  const [, table, field] = /^(invoices|refunds) with (.+) twice$/.exec(what) ?? [];
  if (field === undefined || typeof service !== 'number') return undefined;
  const name = table === 'invoices' ? 'balance.twice.invoices' : 'balance.twice.refunds';
  const count = formatter.count(service);
  if (UNNAMED.has(field)) return formatter.texts.say(`${name}.other`, { count });
  return formatter.texts.say(name, { field: formatter.outside(field), count });
}

function plainSentence({ what, service, rows }: Difference, formatter: FigureFormatter): string | undefined {
  const { texts } = formatter;
  if (what === 'pages while they were read') return texts.say('balance.moving');
  const refundId = /^refund (\d+)$/.exec(what)?.[1];
  if (refundId !== undefined && service === 'not found' && rows === null) {
    return texts.say('balance.refundMissing', { id: formatter.outside(refundId) });
  }
  if (service !== null) return undefined;
  return texts.say('balance.notSaid', {
    what: whatDiffers(what, formatter),
    rows: sideSays(rows, formatter),
  });
}

function differenceSentence(difference: Difference, formatter: FigureFormatter): string {
  const own =
    misplacedSentence(difference, formatter) ??
    repeatedSentence(difference, formatter) ??
    plainSentence(difference, formatter);
  if (own !== undefined) return own;
  return formatter.texts.say('balance.difference', {
    what: whatDiffers(difference.what, formatter),
    service: sideSays(difference.service, formatter),
    rows: sideSays(difference.rows, formatter),
  });
}

export function differenceSentences(
  differences: readonly Difference[],
  formatter: FigureFormatter,
): { sentences: string[]; others: number } {
  const listed = differences.filter((difference) => unlistedIn(difference) === 0);
  const unlisted = differences.reduce((count, difference) => count + unlistedIn(difference), 0);
  const sentences = listed
    .slice(0, formatter.limits.list)
    .map((difference) => differenceSentence(difference, formatter));
  return { sentences, others: listed.length - sentences.length + unlisted };
}

export function checkSection(
  { differences, notCompared }: Manifest,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const linesOf = (some: readonly Difference[], say: (difference: string) => string) => {
    const { sentences, others } = differenceSentences(some, formatter);
    return [...sentences.map(say), ...moreNotes(others, 0, formatter)].map(paragraph);
  };
  const lines = [
    ...linesOf(differences, (difference) => difference),
    ...linesOf(notCompared, (difference) => texts.say('balance.notCompared', { difference })),
  ];
  return lines.length === 0 ? [] : [{ heading: texts.say('balance'), lines }];
}

export function aboutSection(input: ReportInput, net: Net | null, formatter: FigureFormatter): PageSection {
  const { merchant, manifest, attachments } = input;
  const { texts } = formatter;
  const time = moment(manifest.pulledAt, merchant.timeZone, texts);
  const readAt = texts.say('about.readAt', { time });
  const files = attachmentSentences(attachments, formatter, 'attachment.attached');
  const ofRecords = [readAt, ...files].join(' ');
  if (net === null) return { notes: [ofRecords] };
  return {
    heading: texts.say('about'),
    notes: [
      [...netSentences(net, formatter), texts.say('about.noPromise')].join(' '),
      [...(merchant.otherChannels !== false ? [texts.say('about.otherChannels')] : []), ofRecords].join(' '),
    ],
  };
}
