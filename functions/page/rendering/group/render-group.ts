import { dayAt } from '#records/day/business-day.ts';
import { periodKind } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import {
  moment,
  monthAndYear,
  periodInSubject,
  periodLine,
  shortDay,
} from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
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
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { changedMembers } from '#page/figures/compose-group.ts';
import type { ChangedMember, CurrencySum, GroupPage } from '#page/figures/group-page.ts';
import { bareChange } from '../correction/changed-figures.ts';
import { statesSection } from '../invoices-section.ts';
import {
  attachmentSentences,
  inCurrency,
  linkedSections,
  moreNotes,
  oneNote,
  pageReference,
  paragraph,
  renderedMail,
  subjectLine,
} from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';
import {
  cameIn,
  currencySection,
  netKeyFigures,
  netPreheader,
  netSentences,
  periodBasis,
  netTextName,
} from '../net.ts';
import { merchantsSection, movers, nameOfMember } from './merchants-section.ts';
import type { Mover } from './merchants-section.ts';

export interface GroupInput {
  group: Pick<MailedMerchant, 'timeZone' | 'language' | 'brand' | 'name'>;
  page: GroupPage;
  /** That it replaces; `null` for the first, or when it cannot be read. */
  before: GroupPage | null;
  preview: boolean;
  attachments: readonly PageAttachment[];
}

export interface CurrencyTotal {
  currency: string;
  sum: CurrencySum;
}

/** The sums of a group by currency, those of most merchants first. */
export function totalsOf({ byCurrency }: Pick<GroupPage, 'byCurrency'>): CurrencyTotal[] {
  return Object.entries(byCurrency)
    .map(([currency, sum]) => ({ currency, sum }))
    .sort((one, other) => other.sum.merchants - one.sum.merchants);
}

/** What is worked out once, whatever a mail has room for. */
interface PreparedGroup extends GroupInput {
  totals: readonly CurrencyTotal[];
  /** The sums of its only currency. */
  only: CurrencyTotal | undefined;
  members: readonly Mover[];
  /** Whether all amounts are of one currency, so that tables need not name it. */
  hasOneCurrency: boolean;
}

/** A subject has no room for more amounts. */
const MOST_AMOUNTS = 2;

function headlineOf({ totals }: PreparedGroup, formatter: FigureFormatter): string {
  const [first, ...others] = totals;
  const { texts } = formatter;
  if (first === undefined) return texts.say('group.empty');
  const isKnown = totals.every(({ sum }) => sum.net.received !== null);
  if (others.length === 0 || (isKnown && totals.length <= MOST_AMOUNTS))
    return cameIn(first.sum, totals, formatter);
  return texts.say('group.count', { count: totals.reduce((all, { sum }) => all + sum.merchants, 0) });
}

function subjectOf(input: PreparedGroup, formatter: FigureFormatter): string {
  const { group, page, preview } = input;
  const { texts } = formatter;
  const mailed = dayAt(Date.parse(page.sealedAt), group.timeZone);
  const said = [group.name, periodInSubject(page, mailed, texts), headlineOf(input, formatter)];
  return subjectLine(said, { preview, warning: page.final ? null : 'provisional' }, texts);
}

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

/** An amount beside others that may be of other currencies. `null` is several currencies. */
function amountIn(
  currency: string | null,
  amount: string | null,
  hasOneCurrency: boolean,
  formatter: FigureFormatter,
): string {
  if (currency === null) return formatter.texts.say('unknown');
  const figures = formatter.in(currency);
  return hasOneCurrency ? figures.bareAmount(amount) : figures.amount(amount);
}

function cellsOf(member: ChangedMember, hasOneCurrency: boolean, formatter: FigureFormatter): PageCell[] {
  const { texts } = formatter;
  const { merchantCode, currency, period, fromRevision, toRevision, before, after } = member;
  const currencyBefore = before?.currency === undefined ? currency : before.currency;
  const change = (was: string | null | undefined, is: string | null) => {
    const now = amountIn(currency, is, hasOneCurrency, formatter);
    if (was === undefined || (was === is && currencyBefore === currency)) return now;
    return [amountIn(currencyBefore, was, hasOneCurrency, formatter), now].join(texts.say('arrow'));
  };
  const revision = [fromRevision, toRevision]
    .flatMap((number) => (number === null ? [] : [String(number)]))
    .join(texts.say('arrow'));
  return [
    {
      text: nameOfMember(member, formatter),
      under: [
        formatter.outside(merchantCode),
        periodText(period, texts),
        texts.say('group.revision', { revision }),
      ].join(' · '),
    },
    {
      text: change(before?.received, after.received),
      under: change(before?.refunds, after.refunds),
    },
  ];
}

function changesSection(
  heading: string,
  changes: readonly ChangedMember[],
  hasOneCurrency: boolean,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts, limits } = formatter;
  if (changes.length === 0) return [];
  const shown = changes.slice(0, limits.list);
  return [
    {
      heading,
      table: {
        columns: [
          { text: texts.say('group.merchant'), under: texts.say('group.corrections.under') },
          { text: texts.say('statement.received'), under: texts.say('statement.refunded') },
        ],
        rows: shown.map((member) => ({ cells: cellsOf(member, hasOneCurrency, formatter) })),
      },
      notes: moreNotes(changes.length, shown.length, formatter, 'group.more'),
    },
  ];
}

/** What the page that this one replaces said, and what this one says: the sums, and the merchants. */
function replacedSections(
  { page, before, totals, hasOneCurrency }: PreparedGroup,
  formatter: FigureFormatter,
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
      [netTextName(is), was.net, is.net],
    ] as const;
    return names.flatMap(([name, old, now]) =>
      old === now ? [] : [{ label: inCurrency(name, figures), values: [bareChange(old, now, figures)] }],
    );
  });
  const values = [texts.say('correction.was'), texts.say('correction.is')].join(texts.say('arrow'));
  const columns = [texts.say('correction.figure'), values];
  const changed = changedMembers(before, page.merchants);
  const ofMerchants = changesSection(heading, changed, hasOneCurrency, formatter);
  if (rows.length === 0) return ofMerchants;
  const merchants = ofMerchants.map(({ heading: _said, ...section }) => section);
  return [{ heading, figures: { columns, rows } }, ...merchants];
}

function provisionalSentences(
  { final, missing, merchants }: GroupPage,
  { texts }: FigureFormatter,
): string[] {
  if (final) return [];
  const notFinal = merchants.reduce((count, member) => (member.final ? count : count + 1), 0);
  return [
    ...(missing.length > 0 ? [texts.say('group.missing.count', { count: missing.length })] : []),
    ...(notFinal > 0 ? [texts.say('group.notFinal.count', { count: notFinal })] : []),
  ];
}

function finalStamp(
  { merchants: { length: count } }: GroupPage,
  totals: readonly CurrencyTotal[],
  { texts }: FigureFormatter,
): PageLine {
  const isKnown = totals.every(
    ({ sum: { net, counts } }) => net.net !== null && !Object.values(counts).includes(null),
  );
  const text = texts.say(isKnown ? 'group.final' : 'group.finalKnown', {
    merchants: texts.say('group.count', { count }),
  });
  return { text, tone: isKnown ? 'good' : 'plain' };
}

function missingSection({ missing }: GroupPage, formatter: FigureFormatter): PageSection[] {
  const { texts, limits } = formatter;
  if (missing.length === 0) return [];
  const shown = missing.slice(0, limits.list);
  return [
    {
      heading: texts.say('group.missing'),
      table: {
        columns: [{ text: texts.say('group.merchant') }, { text: texts.say('group.why') }],
        rows: shown.map((merchant) => ({
          cells: [
            {
              text: nameOfMember(merchant, formatter),
              ...(merchant.name !== null && { under: formatter.outside(merchant.merchantCode) }),
            },
            { text: texts.say(`group.missing.${merchant.reason}`) },
          ],
        })),
      },
      notes: moreNotes(missing.length, shown.length, formatter, 'group.more'),
    },
  ];
}

/** The sums of each currency. The key figures at the top are those of the only one. */
function totalsSections({ page, totals }: PreparedGroup, formatter: FigureFormatter): PageSection[] {
  const { texts, limits } = formatter;
  const shown = totals.slice(0, limits.list);
  const more = moreNotes(totals.length, shown.length, formatter, 'group.currencies.more');
  const made = periodKind(page.period) === 'day' ? 'statement.made.day' : 'statement.made';
  return [
    ...shown.flatMap(({ currency, sum }) => {
      const figures = formatter.in(currency);
      const of = texts.say('group.count', { count: sum.merchants });
      return [
        ...(totals.length > 1 ? [currencySection(sum, of, figures)] : []),
        statesSection(sum, made, figures),
      ];
    }),
    ...(more.length > 0 ? [{ notes: more }] : []),
  ];
}

function marksOf({ preview, page }: GroupInput, formatter: FigureFormatter): PageLine[] {
  const { texts } = formatter;
  const revision = String(page.revision);
  const provisional = [
    `${texts.say('provisional')}.`,
    ...provisionalSentences(page, formatter),
    texts.say('group.follows'),
  ];
  return [
    ...(preview ? [paragraph(texts.say('group.previewNote'))] : []),
    ...(page.revision > 1 ? [paragraph(texts.say('group.replaces', { revision }))] : []),
    ...(page.final ? [] : [{ text: provisional.join(' '), tone: 'bad' as const }]),
  ];
}

function preheaderOf(input: PreparedGroup, formatter: FigureFormatter): string {
  const { page, only } = input;
  const figures =
    only === undefined
      ? headlineOf(input, formatter)
      : netPreheader(
          only.sum.net,
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
  { group, page, attachments, only }: PreparedGroup,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  return {
    heading: texts.say('about'),
    notes: oneNote([
      // Of several currencies, each has its own reason.
      ...(only?.sum.net.net === null ? netSentences(only.sum.net, formatter.in(only.currency)) : []),
      texts.say('statement.sums'),
      texts.say('about.noPromise'),
      texts.say('group.sealedAt', { time: moment(page.sealedAt, group.timeZone, texts) }),
      ...attachmentSentences(attachments, formatter, 'statement.attached'),
    ]),
  };
}

function pageOf(input: PreparedGroup, formatter: FigureFormatter): MailPage {
  const { group, page, preview, totals, only, members, hasOneCurrency } = input;
  const { texts } = formatter;
  const [first] = totals;
  const reference = pageReference(page.group, page.period, page);
  return {
    texts,
    marks: marksOf(input, formatter),
    heading: formatter.outside(group.name),
    subheading: texts.say('group.title', { period: periodLine(page, texts) }),
    lead: headlineOf(input, formatter),
    ...(first !== undefined && { leadNote: periodBasis(first.sum.net, formatter) }),
    keyFigures: only ? netKeyFigures(only.sum.net, formatter.in(only.currency)) : [],
    ...(page.final && { stamp: finalStamp(page, totals, formatter) }),
    preheader: preheaderOf(input, formatter),
    sections: [
      ...replacedSections(input, formatter),
      ...totalsSections(input, formatter),
      ...merchantsSection(
        page,
        members,
        { timeZone: group.timeZone, attachments: input.attachments },
        formatter,
      ),
      ...missingSection(page, formatter),
      ...changesSection(texts.say('group.corrections'), page.corrections, hasOneCurrency, formatter),
      ...linkedSections(input.attachments, formatter),
      aboutSection(input, formatter),
    ],
    ...footerOf({ ...group, merchantCode: group.name }, preview ? 'preview' : 'group', formatter),
    reference: texts.say('reference', { reference }),
  };
}

/** Shows the merchants that moved most, so its size is bounded. The same input gives the same mail. */
export function renderGroup(input: GroupInput): RenderedMail {
  const { group, page } = input;
  const totals = totalsOf(page);
  // A currency that only a correction has is named beside its amounts, too.
  const currencies = new Set([
    ...totals.map(({ currency }) => currency),
    ...page.corrections.flatMap(({ currency, before }) => [currency ?? [], before?.currency ?? []].flat()),
  ]);
  const [first, ...others] = totals;
  const only = others.length === 0 ? first : undefined;
  const prepared = { ...input, totals, only, members: movers(page), hasOneCurrency: currencies.size < 2 };
  const { language } = group;
  return renderedMail(prepared, { language, currency: first?.currency ?? null }, subjectOf, pageOf);
}
