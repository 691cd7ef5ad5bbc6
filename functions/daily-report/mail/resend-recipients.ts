import { lackingMail } from '#domain/ledger/ledger-lacking.ts';
import type { Lacking } from '#domain/ledger/ledger-lacking.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { mailThatCounts } from '#mailing/mail-that-counts.ts';
import type { MailRecords } from '#mailing/mail-that-counts.ts';
import type { ChooseRecipients, MailJob } from '#mailing/once/mail-once.ts';
import type { SuppressionList } from '#mailing/suppression-list.ts';
import type { Resend } from '../daily-report-event.ts';

type Ports = MailRecords & { suppressionList: SuppressionList };

interface ResendRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  resend: Resend;
}

/** To whom a revision is sent again, in the form that the mailing takes. */
export function resendRecipients(ports: Ports, request: ResendRequest): MailJob['resend'] {
  const { resend } = request;
  if (typeof resend === 'boolean') return resend;
  if (resend === 'failed') return lackingRecipients(ports, request);
  const to = [...addressesOnce(resend).keys()];
  return () => Promise.resolve({ to, ifNone: 'no recipient is named' });
}

/**
 * Chooses the recipients who do not have the day's mail. An address to which mail is stopped is left out, and
 * so is a recipient who complained.
 */
function lackingRecipients(ports: Ports, { settings, manifest }: ResendRequest): ChooseRecipients {
  return async (ledger) => {
    const { merchantCode, day, revision } = manifest;
    const mailed = { merchantCode, day, timeZone: settings.timeZone };
    const counts = (await mailThatCounts(ports, mailed, revision, ledger)) ?? ledger;
    const found = lackingMail(counts, addressesOnce(settings.recipients).keys());
    const to: string[] = [];
    for (const one of found.lacking) {
      if ((await ports.suppressionList.reason(one)) === undefined) to.push(one);
    }
    return { to, ifNone: reasonOfNone(found) };
  };
}

/** Why nobody is left to send it to. */
function reasonOfNone({ lacking, having, complained, perhaps }: Lacking): string {
  const counted = [
    [having, 'have the mail'],
    [lacking.length, 'stopped'],
    [complained, 'complained'],
    [perhaps, 'may have the mail'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return parts.length === 0
    ? 'the mail was not to be sent to anybody'
    : `nobody is left to send it to (${parts.join(', ')})`;
}
