import { isVisible, oneLine } from './outside-text.ts';
import type { MailedMerchant } from '../template/mailed-merchant.ts';

const LONGEST_NAME_IN_SUBJECT = 80;

type Named = Pick<MailedMerchant, 'merchantCode' | 'name'>;

/** The merchant's name on one line, or the code when no part of the name is visible. */
export function merchantName(merchant: Named, limit = 500): string {
  return isVisible(merchant.name) ? oneLine(merchant.name, limit) : merchant.merchantCode;
}

/** The same, short enough to leave room for the rest of a subject. */
export function nameInSubject(merchant: Named): string {
  return merchantName(merchant, LONGEST_NAME_IN_SUBJECT);
}
