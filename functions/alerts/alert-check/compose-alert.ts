import type { PendingAlertMail } from '../rules/alert-state.ts';
import { boundedWords } from '#mail/message/daybook-headers.ts';
import { brandOf, headOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { composeMail } from '#mail/message/mime.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { renderAlert } from '../rendering/render-alert.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { tickOf } from './check-name.ts';

/** Renders the mail from the lines in the state alone, so that a check that continues sends the same mail. */
export function composeAlert(
  settings: MerchantSettings,
  senderProfile: SenderProfile,
  pending: PendingAlertMail,
): ComposedMail {
  const { check, day, lines } = pending;
  const checkedAt = tickOf(check);
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
  return (to) => composeMail({ ...head, to, ...rendered, at: Date.parse(checkedAt) });
}
