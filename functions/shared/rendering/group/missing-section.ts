import type { GroupPage } from '#domain/statement/group-page.ts';
import type { PageSection } from '../page/mail-page.ts';
import type { GroupFormatter } from './group-formatter.ts';

/** The merchants without a page, and why. Empty when there are none. */
export function missingSection({ missing }: GroupPage, formatter: GroupFormatter): PageSection[] {
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
