import type { GroupPage } from '#domain/statement/group-page.ts';
import type { PageLine } from '../page/mail-page.ts';
import type { GroupFormatter } from './group-formatter.ts';

/** What keeps a page from being final, in sentences. Empty when it is final. */
export function provisionalSentences(
  { final, missing, merchants }: GroupPage,
  { texts }: GroupFormatter,
): string[] {
  if (final) return [];
  const notFinal = merchants.reduce((count, member) => (member.final ? count : count + 1), 0);
  return [
    ...(missing.length > 0 ? [texts.say('group.missing.count', { count: missing.length })] : []),
    ...(notFinal > 0 ? [texts.say('group.notFinal.count', { count: notFinal })] : []),
  ];
}

/** Names a provisional page at the top. Empty when it is final. */
export function provisionalMark({ final }: GroupPage, { texts }: GroupFormatter): PageLine[] {
  return final ? [] : [{ text: texts.say('provisional'), tone: 'bad' }];
}

/** Whether the page is final. If not, how many merchants keep it from that. */
export function groupStamp(page: GroupPage, formatter: GroupFormatter): PageLine {
  const { texts } = formatter;
  if (page.final) {
    const merchants = texts.say('group.count', { count: page.merchants.length });
    return { text: texts.say('group.final', { merchants }), tone: 'good' };
  }
  const sentences = [...provisionalSentences(page, formatter), texts.say('group.follows')];
  return { text: sentences.join(' '), tone: 'bad' };
}
