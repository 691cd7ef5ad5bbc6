import { parentPort } from 'node:worker_threads';
import { composeMail } from '#mail/message/mime.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { SAMPLE_MAILS } from './sample-mails.ts';

/*
 * Renders every sample once, as a message, and ends. It runs in a new thread each time, because a new thread loads the
 * code again. So a page shows what the sources say now.
 */

const AT = Date.parse('2026-11-21T03:00:07.480Z');

for (const [name, render] of Object.entries(SAMPLE_MAILS)) {
  // Notices to ops are in English only.
  for (const language of name === 'ops' ? (['en'] as const) : LANGUAGES) {
    const { subject, text, html } = render(language);
    const raw = await composeMail({
      from: 'Daybook <daybook@example.com>',
      to: name === 'ops' ? 'ops@example.com' : 'owner@example.com',
      subject,
      text,
      html,
      at: AT,
    });
    parentPort?.postMessage({ id: `${name}-${language}`, raw });
  }
}
