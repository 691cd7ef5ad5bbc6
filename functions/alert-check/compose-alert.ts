import { headOf } from '../shared/adapters/letterhead.ts';
import type { Letterhead } from '../shared/adapters/letterhead.ts';
import { composeMail } from '../shared/adapters/mime.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import { renderAlert } from '../shared/core/rendering/render-alert.ts';
import type { ComposedMail } from '../shared/mailing/mail-round.ts';
import { tickOf } from './check-name.ts';
import type { OwedMail } from './mail-check.ts';

/** Renders the mail from the state's own lines, so that a check that goes on where another stopped sends the same. */
export function composeAlert(
  settings: MerchantSettings,
  letterhead: Letterhead,
  owed: OwedMail,
): ComposedMail {
  const { check, day, lines } = owed;
  const checkedAt = tickOf(check);
  const rendered = renderAlert({ merchant: settings, day, check, checkedAt, lines });
  const head = headOf(letterhead, settings.merchantCode, day);
  return (to) => composeMail({ ...head, to, ...rendered, at: Date.parse(checkedAt) });
}
