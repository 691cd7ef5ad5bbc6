import { periodKind } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { ChangedMember, GroupPage } from '#page/figures/group-page.ts';
import { monthAndYear, shortDay } from '#mail/formatters/day-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageCell, PageSection } from '#mail/template/mail-page.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { GroupFormatter } from './group-formatter.ts';

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

export function correctionsSection({ corrections }: GroupPage, formatter: GroupFormatter): PageSection[] {
  const { texts, limits } = formatter;
  if (corrections.length === 0) return [];
  const shown = corrections.slice(0, limits.list);
  const more = corrections.length - shown.length;
  return [
    {
      heading: texts.say('group.corrections'),
      table: {
        columns: [
          { text: texts.say('group.merchant'), under: texts.say('group.corrections.under') },
          { text: texts.say('statement.received'), under: texts.say('refunds') },
        ],
        rows: shown.map((member) => ({ cells: cellsOf(member, formatter) })),
      },
      notes: more > 0 ? [texts.say('group.more', { count: more })] : [],
    },
  ];
}
