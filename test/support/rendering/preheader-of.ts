import { inCell } from '#mail/formatters/outside-text.ts';

/** What a list of mails shows beside the subject. */
export function preheaderOf({ html }: { html: string }): string {
  const [, preheader = ''] = /<div style="display:none[^>]*>([^<]*)</.exec(html) ?? [];
  return inCell(preheader.replaceAll('&#39;', "'"));
}
