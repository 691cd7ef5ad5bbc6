import { periodKind, unusualLength } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';
import type { PageCell, PageSection } from '#mail/template/mail-page.ts';
import type { StatementAttachment } from '../statement/statement-input.ts';
import type { GroupFormatter } from './group-formatter.ts';
import type { Mover } from './movers.ts';

/** In place of a difference that is not known. */
const NOTHING = '–';

function checkMark({ balanced, final }: GroupMember, { texts }: GroupFormatter): string {
  if (!balanced) return texts.say('group.check.bad');
  return texts.say(final ? 'group.check.good' : 'group.check.provisional');
}

function cellsOf({ member, difference }: Mover, formatter: GroupFormatter): PageCell[] {
  const { texts, plain } = formatter;
  const { merchantCode, revision, currency, received, refunds, counts } = member;
  return [
    {
      text: formatter.name(member),
      under: [
        plain.outside(merchantCode),
        texts.say('group.revision', { revision: String(revision) }),
        checkMark(member, formatter),
      ].join(' · '),
    },
    { text: formatter.cell(received, currency), under: formatter.cell(refunds.total, currency) },
    {
      text: difference === null ? NOTHING : formatter.cell(difference, currency, true),
      under: [plain.count(counts.paid), plain.count(counts.notPaid)].join(' · '),
    },
  ];
}

function moreNote(
  more: number,
  attachments: readonly StatementAttachment[],
  { texts }: GroupFormatter,
): string[] {
  if (more <= 0) return [];
  const hasAll = attachments.some(({ kind, format }) => kind === 'attached' && format === 'xlsx');
  return [texts.say(hasAll ? 'group.more.attached' : 'group.more', { count: more })];
}

function weekLengthNote(period: Period, members: readonly Mover[], { texts }: GroupFormatter): string[] {
  const count = members.filter(
    ({ member: { from, to } }) => unusualLength({ period, from, to }) !== undefined,
  ).length;
  return count === 0 ? [] : [texts.say('group.week.length', { count })];
}

/** A table by merchant, those that moved most first. Narrow enough for a phone. */
export function merchantsSection(
  { period }: Pick<GroupPage, 'period'>,
  members: readonly Mover[],
  attachments: readonly StatementAttachment[],
  formatter: GroupFormatter,
): PageSection[] {
  const { texts, limits } = formatter;
  if (members.length === 0) return [];
  const shown = members.slice(0, limits.rows);
  const isDay = periodKind(period) === 'day';
  const meaning = [
    texts.say('group.check.meaning'),
    texts.say('group.order'),
    texts.say(isDay ? 'group.usual.day' : 'group.usual.period'),
    ...(formatter.hasOneCurrency
      ? [texts.say('statement.amountsIn', { currency: formatter.plain.currency })]
      : []),
    ...(members.some(({ member }) => member.currency === null) ? [texts.say('group.mixed')] : []),
  ];
  return [
    {
      heading: texts.say('group.merchants'),
      table: {
        columns: [
          { text: texts.say('group.merchant'), under: texts.say('group.merchant.under') },
          { text: texts.say('statement.received'), under: texts.say('refunds') },
          { text: texts.say('group.againstUsual'), under: texts.say('group.paidAndUnpaid') },
        ],
        rows: shown.map((mover) => ({ cells: cellsOf(mover, formatter) })),
      },
      notes: [
        ...moreNote(members.length - shown.length, attachments, formatter),
        ...weekLengthNote(period, members, formatter),
        meaning.join(' '),
      ],
    },
  ];
}
