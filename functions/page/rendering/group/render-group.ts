import { periodKind } from '#records/period/period.ts';
import { moment } from '#mail/formatters/day-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import { fittingMail } from '#mail/template/fitting-mail.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import type { MailPage, PageLine, PageSection, RenderedMail } from '#mail/template/mail-page.ts';
import { netPreheader, netTiles } from '../report/net-figures.ts';
import { attachmentSentences } from '../statement/about-section.ts';
import { asDayNet } from '../statement/statement-net.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { correctionsSection } from './corrections-section.ts';
import { GroupFormatter } from './group-formatter.ts';
import type { GroupInput } from './group-input.ts';
import { groupHeadline, groupSubject, totalsOf } from './headline.ts';
import type { CurrencyTotal } from './headline.ts';
import { merchantsSection } from './merchants-section.ts';
import { movers } from './movers.ts';
import type { Mover } from './movers.ts';
import { totalsSections } from './totals-sections.ts';
import type { GroupPage } from '#page/figures/group-page.ts';

function provisionalSentences({ final, missing, merchants }: GroupPage, { texts }: GroupFormatter): string[] {
  if (final) return [];
  const notFinal = merchants.reduce((count, member) => (member.final ? count : count + 1), 0);
  return [
    ...(missing.length > 0 ? [texts.say('group.missing.count', { count: missing.length })] : []),
    ...(notFinal > 0 ? [texts.say('group.notFinal.count', { count: notFinal })] : []),
  ];
}

function provisionalMark({ final }: GroupPage, { texts }: GroupFormatter): PageLine[] {
  return final ? [] : [{ text: texts.say('provisional'), tone: 'bad' }];
}

/** Whether the page is final. If not, how many merchants keep it from that. */
function groupStamp(page: GroupPage, formatter: GroupFormatter): PageLine {
  const { texts } = formatter;
  if (page.final) {
    const merchants = texts.say('group.count', { count: page.merchants.length });
    return { text: texts.say('group.final', { merchants }), tone: 'good' };
  }
  const sentences = [...provisionalSentences(page, formatter), texts.say('group.follows')];
  return { text: sentences.join(' '), tone: 'bad' };
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

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, rows: 0, text: LONGEST_SUBJECT };

interface Prepared {
  totals: readonly CurrencyTotal[];
  members: readonly Mover[];
}

function marksOf({ preview, page }: GroupInput, formatter: GroupFormatter): PageLine[] {
  const { texts } = formatter;
  const revision = String(page.revision);
  return [
    ...(preview ? [{ text: texts.say('group.previewNote'), tone: 'plain' as const }] : []),
    ...(page.revision > 1
      ? [{ text: texts.say('group.replaces', { revision }), tone: 'plain' as const }]
      : []),
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
    ...provisionalMark(page, formatter).map(({ text }) => text),
    ...provisionalSentences(page, formatter),
    figures,
  ].join(' · ');
}

function aboutSection({ group, page, attachments }: GroupInput, formatter: GroupFormatter): PageSection {
  const { texts } = formatter;
  return {
    heading: texts.say('about'),
    notes: [
      [texts.say('statement.sums'), texts.say('about.noPromise')].join(' '),
      ...attachmentSentences(attachments, formatter.plain),
      texts.say('group.sealedAt', { time: moment(page.sealedAt, group.timeZone, texts) }),
    ],
  };
}

function pageOf(input: GroupInput, { totals, members }: Prepared, formatter: GroupFormatter): MailPage {
  const { group, page, preview, attachments } = input;
  const { texts } = formatter;
  const [only, ...others] = totals;
  const tiles =
    only === undefined || others.length > 0
      ? []
      : netTiles(asDayNet(only.sum.net), formatter.in(only.currency));
  const { name, brand } = group;
  const reference = isolated([page.group, page.period, page.revision].join(' · '));
  return {
    texts,
    marks: marksOf(input, formatter),
    heading: formatter.plain.outside(name),
    subheading: texts.say('group.title', { period: periodLine(page, texts) }),
    lead: groupHeadline(totals, formatter),
    ...(only !== undefined && {
      leadNote: texts.say(periodKind(page.period) === 'day' ? 'received.day' : 'received.period'),
    }),
    tiles,
    stamp: groupStamp(page, formatter),
    preheader: preheaderOf(input, totals, formatter),
    sections: [
      ...totalsSections(totals, formatter),
      ...merchantsSection(page, members, attachments, formatter),
      ...missingSection(page, formatter),
      ...correctionsSection(page, formatter),
      aboutSection(input, formatter),
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
  const formatterWithin = (limits: Limits) => new GroupFormatter(texts, currencies, limits);
  const prepared = { totals, members: movers(page) };
  const contents = fittingMail((limits) => pageOf(input, prepared, formatterWithin(limits)));
  return { subject: groupSubject(input, totals, formatterWithin(SUBJECT)), ...contents };
}
