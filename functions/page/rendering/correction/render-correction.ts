import { figuresOf, type Manifest, type Table } from '#records/revision/manifest.ts';
import { dayLine, shortDay } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName, nameInSubject } from '#mail/template/mailed-merchant.ts';
import { basisOf, soFarTime, type ReportedMerchant } from '../report/headline.ts';
import { footerOf } from '#mail/template/footer.ts';
import type {
  MailPage,
  PageLine,
  RenderedMail,
  PageFigures,
  PageSection,
  KeyFigure,
} from '#mail/template/mail-layout.ts';
import { questionLines } from '../report/to-do-section.ts';
import { amountText, changedFigure, changedFigures, figureSection, stateText } from './changed-figures.ts';
import { approvedAmount, preheaderOf, whatChanged } from './headline.ts';
import type { NamedChange } from './headline.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import { netSentences, netTextName, netKeyFigures } from '../net.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import { MOST_LISTED, type ChangedRows } from '#records/revision/changed-rows.ts';
import {
  attachmentSentences,
  linkedSections,
  moreNotes,
  pageReference,
  paragraph,
  renderedMail,
  subjectLine,
} from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';

type ListedRows = Pick<ChangedRows, 'count' | 'first'>;

export interface CorrectionInput {
  merchant: ReportedMerchant;
  manifest: Manifest;
  before: Figures;
  /** The page of that mail; `null` when it cannot be read. */
  earlier: Manifest | null;
  /** The rows that differ from that mail's revision. `null` when they cannot be compared. */
  rows: { invoices: ListedRows; refunds: ListedRows } | null;
  paidTwice: PaidTwice;
  attachments: readonly PageAttachment[];
}

/** Places that refunds get of the list when there are many invoices. */
const KEPT_FOR_REFUNDS = 3;

function rowsOf(
  table: Table,
  { first }: ListedRows,
  most: number,
  formatter: FigureFormatter,
): PageFigures['rows'] {
  const name = table === 'invoices' ? 'correction.invoice' : 'correction.refund';
  return first.slice(0, most).map((row) => ({
    label: formatter.texts.say(name, { id: formatter.outside(row.id) }),
    // One value, because a narrow screen has no room for three columns.
    values: [
      [stateText(table, row, formatter), amountText(row, formatter)]
        .filter((text) => text !== '')
        .join(' · '),
    ],
    under: true,
  }));
}

function rowSections(rows: CorrectionInput['rows'], formatter: FigureFormatter): PageSection[] {
  const { texts, limits } = formatter;
  if (rows === null) return [{ lines: [paragraph(texts.say('correction.rows.unknown'))] }];
  const { invoices, refunds } = rows;
  const count = invoices.count + refunds.count;
  if (count === 0) return [];
  const most = Math.min(MOST_LISTED, limits.list);
  const ofRefunds = Math.min(
    refunds.count,
    Math.max(most - invoices.count, Math.min(KEPT_FOR_REFUNDS, most)),
  );
  const shown = [
    ...rowsOf('invoices', invoices, most - ofRefunds, formatter),
    ...rowsOf('refunds', refunds, ofRefunds, formatter),
  ];
  return [
    {
      heading: texts.say('correction.rows'),
      figures: {
        columns: [texts.say('correction.number'), texts.say('correction.stateAndAmount')],
        rows: shown,
      },
      notes: moreNotes(count, shown.length, formatter),
    },
  ];
}

function headlineOf({ before, manifest }: CorrectionInput, formatter: FigureFormatter): string {
  const what = whatChanged(before, figuresOf(manifest), formatter);
  return formatter.texts.say('correction.headline', { what });
}

function subjectOf(input: CorrectionInput, formatter: FigureFormatter): string {
  const headline = headlineOf(input, formatter);
  const { merchant, manifest } = input;
  const said = [headline, nameInSubject(merchant), shortDay(manifest.day, formatter.texts)];
  return subjectLine(said, { preview: false, warning: null }, formatter.texts);
}

function stampOf({ balanced, notCompared }: Manifest, { texts }: FigureFormatter): PageLine {
  if (!balanced) return { text: texts.say('correction.stamp.bad'), tone: 'bad' };
  const name = notCompared.length === 0 ? 'correction.stamp.good' : 'correction.stamp.apart';
  return { text: texts.say(name), tone: 'good' };
}

/** Files that were too large for a mail and a link are as if they were not asked for. */
function fullFigures({ attachments }: CorrectionInput, formatter: FigureFormatter): string[] {
  const given = attachments.filter(({ kind }) => kind === 'attached' || kind === 'linked');
  const isAttached = given.some(({ kind }) => kind === 'attached');
  return [
    ...attachmentSentences(given, formatter, 'correction.full.attached', 'correction.full.ask'),
    ...(isAttached ? [formatter.texts.say('correction.full.others')] : []),
  ];
}

/** The net of both mails; `null` when the earlier one is not known on the same basis. */
function netChange({ merchant, earlier }: CorrectionInput, net: Net): NamedChange | null {
  const was = earlier && dayNet(earlier, merchant.charges ?? []);
  if (was?.basis !== net.basis) return null;
  return [netTextName(net), [was.net, net.net]];
}

function keyFiguresOf(net: Net, formatter: FigureFormatter): KeyFigure[] {
  const { texts } = formatter;
  const label = texts.say(net.basis === 'made' ? 'states.paid' : 'cameIn');
  const [refunded, ...others] = netKeyFigures(net, formatter);
  const left = others.at(-1);
  return [
    { label, value: formatter.amount(net.received) },
    ...[refunded, left].filter((keyFigure) => keyFigure !== undefined),
  ];
}

function pageOf(input: CorrectionInput, formatter: FigureFormatter): MailPage {
  const { merchant, manifest, before, rows, paidTwice } = input;
  const { texts } = formatter;
  const after = figuresOf(manifest);
  const net = dayNet(manifest, merchant.charges ?? []);
  const newNet = netChange(input, net);
  const changes = [
    ...(newNet === null ? [] : changedFigure({ of: 'named', name: newNet[0] }, newNet[1])),
    ...changedFigures(before, after),
  ];
  const time = soFarTime(input, formatter);
  const questions = questionLines(manifest, paidTwice, formatter);
  const { merchantCode, day } = manifest;
  const reference = pageReference(merchantCode, day, manifest);
  return {
    texts,
    marks: time === null ? [] : [paragraph(texts.say('correction.soFar', { time }))],
    heading: formatter.outside(merchantName(merchant)),
    subheading: dayLine(day, texts),
    lead: headlineOf(input, formatter),
    leadNote: basisOf(manifest, formatter),
    keyFigures: keyFiguresOf(net, formatter),
    stamp: stampOf(manifest, formatter),
    preheader: preheaderOf(
      newNet,
      [approvedAmount(before), approvedAmount(after)],
      [before.counts.notPaid, after.counts.notPaid],
      formatter,
    ),
    sections: [
      ...figureSection(changes, formatter),
      ...rowSections(rows, formatter),
      ...(questions.length === 0 ? [] : [{ heading: texts.say('toDo'), lines: questions }]),
      ...linkedSections(input.attachments, formatter),
      { notes: [netSentences(net, formatter).join(' '), ...fullFigures(input, formatter)] },
    ],
    ...footerOf(merchant, 'report', formatter),
    reference: texts.say('correction.reference', { reference }),
  };
}

/** The mail about a sealed revision whose figures differ from the last mail's. The same input gives the same mail. */
export function renderCorrection(input: CorrectionInput): RenderedMail {
  return renderedMail(input, input.merchant, subjectOf, pageOf);
}
