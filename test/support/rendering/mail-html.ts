import { inCell } from '#mail/formatters/outside-text.ts';

/** What a list of mails shows beside the subject. */
export function preheaderOf({ html }: { html: string }): string {
  const [, preheader = ''] = /<div style="display:none[^>]*>([^<]*)</.exec(html) ?? [];
  return inCell(preheader.replaceAll('&#39;', "'"));
}

/** A page without the elements that keep programs from making links of texts from outside. */
export function withoutBreaks(html: string): string {
  return html.replaceAll('<span style="display:none"><br></span>', '').replaceAll(/<a>([^<]*)<\/a>/g, '$1');
}

/** Texts that usual mail programs turn into links when they stand in a mail. */
export const HOSTILE_LINKS = [
  'https://example.com',
  'https://example.com/path?x=1&y=2',
  'http://user:password@example.com:8080/',
  'http://1.2.3.4/x',
  'ftp://example.com',
  'HTTPS://EXAMPLE.COM',
  '//example.com/x',
  'www.example.com',
  'example.com',
  'pay.example.co.uk',
  'example.com/pay-now',
  'Refund at example.shop now',
  '(example.com)',
  '"example.com"',
  'example.com,example.net',
  'mailto:someone@example.com',
  'someone@example.com',
  'first.last+tag@example.com',
  'пример.рф',
  'example.كويت',
  'xn--e1afmkfd.com',
  'report.zip',
  '+965 5000 0000',
  '+96550000000',
  '(965) 5000-0000',
  '965.5000.0000',
  '50000000',
  '٥٠٠٠٠٠٠٠',
  'call +965 5000 0000 or write to someone@example.com',
];
