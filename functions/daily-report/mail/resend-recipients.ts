import { lackingMail } from '#domain/ledger/ledger-lacking.ts';
import type { Lacking } from '#domain/ledger/ledger-lacking.ts';
import { presentEntries } from '#domain/ledger/ledger-rounds.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { mailThatCounts } from '#mailing/mail-that-counts.ts';
import type { MailRecords } from '#mailing/mail-that-counts.ts';
import type { ChosenRecipients, MailJob } from '#mailing/once/mail-once.ts';
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
  const { settings, manifest, resend } = request;
  if (typeof resend === 'boolean') return resend;
  const recipients = [...addressesOnce(settings.recipients).keys()];
  return async (ledger) => {
    const { merchantCode, day, revision } = manifest;
    const mailed = { merchantCode, day, timeZone: settings.timeZone };
    const counts = (await mailThatCounts(ports, mailed, revision, ledger)) ?? ledger;
    const former = presentEntries(counts).flatMap((entry) =>
      recipients.includes(entry.to) ? [] : [entry.to],
    );
    const chosen =
      resend === 'failed'
        ? await lackingRecipients(ports, counts, recipients)
        : { to: [...addressesOnce(resend).keys()], ifNone: 'no recipient is named' };
    return { ...chosen, former };
  };
}

/**
 * The recipients who do not have the day's mail. An address to which mail is stopped is left out, and so is a
 * recipient who complained.
 */
async function lackingRecipients(
  { suppressionList }: Ports,
  counts: Ledger,
  recipients: readonly string[],
): Promise<Pick<ChosenRecipients, 'to' | 'ifNone'>> {
  const found = lackingMail(counts, recipients);
  const to: string[] = [];
  for (const one of found.lacking) {
    if ((await suppressionList.reason(one)) === undefined) to.push(one);
  }
  return { to, ifNone: reasonOfNone(found) };
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
