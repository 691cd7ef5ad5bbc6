import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { composeMail } from '#mailing/message/mime.ts';

/** So many, and no fewer, make the first one's cost small. */
const MAILS = 400;

/** Renders a usual report and writes it as MIME, in both languages by turns. */
export async function mails(): Promise<number> {
  for (let mail = 0; mail < MAILS; mail += 1) {
    const rendered = SAMPLE_MAILS.report(mail % 2 === 0 ? 'en' : 'ar');
    await composeMail({
      from: 'Daybook <daybook@example.com>',
      to: 'owner@example.com',
      ...rendered,
      at: Date.UTC(2026, 10, 21),
    });
  }
  return MAILS;
}
