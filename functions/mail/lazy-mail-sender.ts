import type { SesSettings } from './ses-mail-sender.ts';
import type { MailSender } from './mail-sender.ts';

/** Sends over SES with a client built at the first mail. If that fails, the mail was certainly not sent. */
export function lazyMailSender(settings: SesSettings): MailSender {
  let sender: MailSender | undefined;
  return {
    send: async (mail, timeout) => {
      try {
        const { SesMailSender, createMailClient } = await import('./ses-mail-sender.ts');
        sender ??= new SesMailSender({ ...settings, client: createMailClient() });
      } catch {
        return { kind: 'refused', throttled: false, reason: 'MailSenderNotLoaded' };
      }
      return sender.send(mail, timeout);
    },
  };
}
