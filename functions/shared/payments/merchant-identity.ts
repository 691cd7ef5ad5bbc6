import type { Integer } from '#domain/json/exact-json.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { ContractError } from './errors.ts';

/** Digits without leading zeros. Any other text is not changed. */
function withoutLeadingZeros(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

/**
 * The service's own id of the merchant: `merchant_id` of every record, a string in invoices and an integer in
 * refunds (docs/contract.md, 2.3 Invoice record and 2.4 Refund record). It may differ from the merchant's
 * code. A record with another id than the merchant's other records belongs to another merchant and is
 * refused.
 */
export class MerchantIdentity {
  #id: string | null = null;

  /** `null` until a record has shown it, when it is not known from before. */
  get id(): string | null {
    return this.#id;
  }

  /** Whether this is the merchant's id, written as it is known. Another text may still be the same id: see {@link check}. */
  isOwn(merchantId: string | Integer): boolean {
    return merchantId === this.#id;
  }

  /**
   * Compares the id of a record with the merchant's.
   *
   * @param path of the field in the answer
   * @throws {ContractError} with the field, without either id
   */
  check(operation: string, path: string, merchantId: string | Integer): void {
    const text = typeof merchantId === 'string' ? merchantId : integerText(merchantId);
    // It would not tell merchants apart.
    if (text === '') throw new ContractError({ operation }, path, 'must be the id of the merchant');
    const id = withoutLeadingZeros(text);
    this.#id ??= id;
    if (id === this.#id) return;
    throw new ContractError({ operation }, path, "is not that of the merchant's other records");
  }

  /**
   * Sets the id that is known from before.
   *
   * @throws {ContractError} when records with another id were already read
   */
  expect(id: string | null): void {
    if (id !== null) this.check('what was read so far', 'merchant_id', id);
  }
}
