import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { composeMail } from '#mail/message/mime.ts';

/** Enough mails that the cost of the first one is small. */
const MAILS = 400;

/** Renders a typical report and writes it as MIME, alternating between the two languages. */
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
