import {
  attachedSentences,
  inCurrency,
  linkedSections,
  oneNote,
  pageReference,
  paragraph,
  renderedMail,
} from '../mail-parts.ts';
import { periodKind } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { moment, monthAndYear, shortDay, periodLine } from '#mail/formatters/day-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { footerOf } from '#mail/template/footer.ts';
import type {
  MailPage,
  PageFigures,
  PageLine,
  PageSection,
  RenderedMail,
  PageCell,
} from '#mail/template/mail-layout.ts';
import { netTextName, netPreheader, netSentences, netKeyFigures, asDayNet } from '../net.ts';
import { bareChange } from '../correction/changed-figures.ts';
import { basisOf } from '../came-in.ts';
import { changedMembers } from '#page/figures/compose-group.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { GroupFormatter, groupHeadline, groupSubject, totalsOf } from './group-formatter.ts';
import type { GroupInput, CurrencyTotal } from './group-formatter.ts';
import { merchantsSection, movers } from './merchants-section.ts';
import type { Mover } from './merchants-section.ts';
import { totalsSections } from '../currencies.ts';
import type { GroupPage, ChangedMember } from '#page/figures/group-page.ts';

/** A week has the name only, because its merchants may begin it on different days. */
function periodText(period: Period, texts: Texts): string {
  switch (periodKind(period)) {
    case 'month':
      return monthAndYear(`${period}-01`, texts);
    case 'day':
      return shortDay(period, texts);
    default:
      return isolated(period);
  }
}

function change(
  was: string | null | undefined,
  is: string | null,
  [before, currency]: readonly [before: string | null, now: string | null],
  formatter: GroupFormatter,
): string {
  const now = formatter.cell(is, currency);
  if (was === undefined || (was === is && before === currency)) return now;
  return [formatter.cell(was, before), now].join(formatter.texts.say('arrow'));
}

function cellsOf(member: ChangedMember, formatter: GroupFormatter): PageCell[] {
  const { texts, plain } = formatter;
  const { merchantCode, currency, period, fromRevision, toRevision, before, after } = member;
  const currencies = [before?.currency === undefined ? currency : before.currency, currency] as const;
  const revision = [fromRevision, toRevision]
    .flatMap((number) => (number === null ? [] : [String(number)]))
    .join(texts.say('arrow'));
  return [
    {
      text: formatter.name(member),
      under: [
        plain.outside(merchantCode),
        periodText(period, texts),
        texts.say('group.revision', { revision }),
      ].join(' · '),
    },
    {
      text: change(before?.received, after.received, currencies, formatter),
      under: change(before?.refunds, after.refunds, currencies, formatter),
    },
  ];
}

/** Merchants with another figure than before. Empty when there are none. */
function changesSection(
  heading: string,
  changes: readonly ChangedMember[],
  formatter: GroupFormatter,
): PageSection[] {
  const { texts, limits } = formatter;
  if (changes.length === 0) return [];
  const shown = changes.slice(0, limits.list);
  const more = changes.length - shown.length;
  return [
    {
      heading,
      table: {
        columns: [
          { text: texts.say('group.merchant'), under: texts.say('group.corrections.under') },
          { text: texts.say('statement.received'), under: texts.say('statement.refunded') },
        ],
        rows: shown.map((member) => ({ cells: cellsOf(member, formatter) })),
      },
      notes: more > 0 ? [texts.say('group.more', { count: more })] : [],
    },
  ];
}

/** What the page that this one replaces said, and what this one says: the sums, and the merchants. */
function replacedSections(
  { page, before }: GroupInput,
  totals: readonly CurrencyTotal[],
  formatter: GroupFormatter,
): PageSection[] {
  if (before === null) return [];
  const { texts } = formatter;
  const heading = texts.say('group.changed', { revision: String(before.revision) });
  const rows = totals.flatMap(({ currency, sum }): PageFigures['rows'] => {
    const [was, is] = [before.byCurrency[currency]?.net, sum.net];
    if (was === undefined) return [];
    const figures = formatter.in(currency);
    const names = [
      ['statement.received', was.received, is.received],
      ['statement.approvedRefunds', was.refunded, is.refunded],
      ['charges', was.charges, is.charges],
      [netTextName(asDayNet(is).charges, 'cameIn'), was.net, is.net],
    ] as const;
    return names.flatMap(([name, old, now]) =>
      old === now ? [] : [{ label: inCurrency(name, figures), values: [bareChange(old, now, figures)] }],
    );
  });
  const values = [texts.say('correction.was'), texts.say('correction.is')].join(texts.say('arrow'));
  const columns = [texts.say('correction.figure'), values];
  const ofMerchants = changesSection(heading, changedMembers(before, page.merchants), formatter);
  if (rows.length === 0) return ofMerchants;
  const merchants = ofMerchants.map(({ heading: _said, ...section }) => section);
  return [{ heading, figures: { columns, rows } }, ...merchants];
}

function provisionalSentences({ final, missing, merchants }: GroupPage, { texts }: GroupFormatter): string[] {
  if (final) return [];
  const notFinal = merchants.reduce((count, member) => (member.final ? count : count + 1), 0);
  return [
    ...(missing.length > 0 ? [texts.say('group.missing.count', { count: missing.length })] : []),
    ...(notFinal > 0 ? [texts.say('group.notFinal.count', { count: notFinal })] : []),
  ];
}

/** Says at the top that the page is provisional, and how many merchants keep it from being final. Empty when it is final. */
function provisionalMark(page: GroupPage, formatter: GroupFormatter): PageLine[] {
  if (page.final) return [];
  const { texts } = formatter;
  const sentences = [
    `${texts.say('provisional')}.`,
    ...provisionalSentences(page, formatter),
    texts.say('group.follows'),
  ];
  return [{ text: sentences.join(' '), tone: 'bad' }];
}

function finalStamp(
  { merchants: { length: count } }: GroupPage,
  totals: readonly CurrencyTotal[],
  { texts }: GroupFormatter,
): PageLine {
  const isKnown = totals.every(
    ({ sum: { net, counts } }) => net.net !== null && !Object.values(counts).includes(null),
  );
  const text = texts.say(isKnown ? 'group.final' : 'group.finalKnown', {
    merchants: texts.say('group.count', { count }),
  });
  return { text, tone: isKnown ? 'good' : 'plain' };
}

function missingSection({ missing }: GroupPage, formatter: GroupFormatter): PageSection[] {
  const { texts, limits, plain } = formatter;
  if (missing.length === 0) return [];
  const shown = missing.slice(0, limits.list);
  const more = missing.length - shown.length;
  return [
    {
      heading: texts.say('group.missing'),
      table: {
        columns: [{ text: texts.say('group.merchant') }, { text: texts.say('group.why') }],
        rows: shown.map((merchant) => ({
          cells: [
            {
              text: formatter.name(merchant),
              ...(merchant.name !== null && { under: plain.outside(merchant.merchantCode) }),
            },
            { text: texts.say(`group.missing.${merchant.reason}`) },
          ],
        })),
      },
      notes: more > 0 ? [texts.say('group.more', { count: more })] : [],
    },
  ];
}

interface Prepared {
  totals: readonly CurrencyTotal[];
  members: readonly Mover[];
}

function marksOf({ preview, page }: GroupInput, formatter: GroupFormatter): PageLine[] {
  const { texts } = formatter;
  const revision = String(page.revision);
  return [
    ...(preview ? [paragraph(texts.say('group.previewNote'))] : []),
    ...(page.revision > 1 ? [paragraph(texts.say('group.replaces', { revision }))] : []),
    ...provisionalMark(page, formatter),
  ];
}

function preheaderOf(
  { page }: GroupInput,
  totals: readonly CurrencyTotal[],
  formatter: GroupFormatter,
): string {
  const [only, ...others] = totals;
  const figures =
    only === undefined || others.length > 0
      ? groupHeadline(totals, formatter)
      : netPreheader(
          asDayNet(only.sum.net),
          { count: only.sum.counts.notPaid, amount: only.sum.amounts?.notPaid ?? null },
          formatter.in(only.currency),
        );
  return [
    ...(page.final ? [] : [formatter.texts.say('provisional')]),
    ...provisionalSentences(page, formatter),
    figures,
  ].join(' · ');
}

function aboutSection(
  { group, page, attachments }: GroupInput,
  totals: readonly CurrencyTotal[],
  formatter: GroupFormatter,
): PageSection {
  const { texts } = formatter;
  // Of several currencies, each has its own reason.
  const unknown = totals.length === 1 ? totals.filter(({ sum }) => sum.net.net === null) : [];
  return {
    heading: texts.say('about'),
    notes: oneNote([
      ...unknown.flatMap(({ sum, currency }) => netSentences(asDayNet(sum.net), formatter.in(currency))),
      texts.say('statement.sums'),
      texts.say('about.noPromise'),
      texts.say('group.sealedAt', { time: moment(page.sealedAt, group.timeZone, texts) }),
      ...attachedSentences(attachments, formatter.plain),
    ]),
  };
}

function pageOf(input: GroupInput, { totals, members }: Prepared, formatter: GroupFormatter): MailPage {
  const { group, page, preview } = input;
  const { texts } = formatter;
  const [only, ...others] = totals;
  const keyFigures =
    only === undefined || others.length > 0
      ? []
      : netKeyFigures(asDayNet(only.sum.net), formatter.in(only.currency));
  const { name, brand } = group;
  const reference = pageReference(page.group, page.period, page);
  return {
    texts,
    marks: marksOf(input, formatter),
    heading: formatter.plain.outside(name),
    subheading: texts.say('group.title', { period: periodLine(page, texts) }),
    lead: groupHeadline(totals, formatter),
    ...(only !== undefined && { leadNote: basisOf(only.sum.net, formatter) }),
    keyFigures,
    ...(page.final && { stamp: finalStamp(page, totals, formatter) }),
    preheader: preheaderOf(input, totals, formatter),
    sections: [
      ...replacedSections(input, totals, formatter),
      ...totalsSections(
        totals,
        periodKind(page.period) === 'day' ? 'statement.made.day' : 'statement.made',
        formatter,
      ),
      ...merchantsSection(input, members, formatter),
      ...missingSection(page, formatter),
      ...changesSection(texts.say('group.corrections'), page.corrections, formatter),
      ...linkedSections(input.attachments, formatter.plain),
      aboutSection(input, totals, formatter),
    ],
    ...footerOf(
      { merchantCode: name, name, ...(brand !== undefined && { brand }) },
      preview ? 'preview' : 'group',
      formatter.plain,
    ),
    reference: texts.say('reference', { reference }),
  };
}

/**
 * The mail of a group's page. It shows the merchants that moved most, so its size does not grow with their
 * number. The same input gives the same mail.
 */
export function renderGroup(input: GroupInput): RenderedMail {
  const { group, page } = input;
  const texts = textsIn(group.language);
  const totals = totalsOf(page);
  // A currency that only a correction has is named beside its amounts, too.
  const currencies = [
    ...new Set([
      ...totals.map(({ currency }) => currency),
      ...page.corrections.flatMap(({ currency, before }) => [currency ?? [], before?.currency ?? []].flat()),
    ]),
  ];
  const prepared = { totals, members: movers(page) };
  return renderedMail(
    (limits) => new GroupFormatter(texts, currencies, limits),
    (formatter) => groupSubject(input, totals, formatter),
    (formatter) => pageOf(input, prepared, formatter),
  );
}
