import { boundedWords, brandOf, headOf, stopLinks, type SenderProfile } from '#mail/message/mail-head.ts';
import { composeMail } from '#mail/message/mime.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { renderAlert } from '../rendering/render-alert.ts';
import type { PendingAlertMail } from '#records/ledger/alert-state.ts';

/* The one way from a check to the code that composes mails: with more, a cold start would read more, smaller files. */

/**
 * Renders the mail from the lines in the state alone, so that a check that continues sends the same mail.
 * @param checkedAt the check's tick, ISO 8601 in UTC
 */
export async function composeAlert(
  settings: MerchantSettings,
  senderProfile: SenderProfile,
  { check, day, lines }: PendingAlertMail,
  checkedAt: string,
): Promise<ComposedMail> {
  const brand = brandOf(senderProfile, settings);
  const rendered = renderAlert({
    merchant: { ...settings, brand },
    day,
    checkedAt,
    replyTo: senderProfile.replyTo ?? null,
    lines,
  });
  const head = headOf(senderProfile, brand, {
    kind: 'alert',
    merchantCode: settings.merchantCode,
    day,
    revision: check,
    internals: { Check: check, Rules: boundedWords(lines.map(({ rule }) => rule)) },
  });
  const ledgerKey = alertLedgerKey(settings.merchantCode, check);
  const stopLink = await stopLinks(senderProfile, ledgerKey);
  return (to) => composeMail({ ...head, ...stopLink(to), to, ...rendered, at: Date.parse(checkedAt) });
}
