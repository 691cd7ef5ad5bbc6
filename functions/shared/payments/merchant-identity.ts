import type { Integer } from '#domain/json/exact-json.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { ContractError } from './errors.ts';

/** Digits as the number that they are; any other text as it is. */
function withoutLeadingZeros(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

/**
 * The service's own id of the merchant: `merchant_id` of every record, a string in invoices and an integer in refunds
 * (docs/contract.md, 2.3 Invoice record and 2.4 Refund record). It need not be the merchant's code, but a record with
 * another one than the merchant's other records is another merchant's, whatever made the service send it.
 */
export class MerchantIdentity {
  #id: string | null = null;

  /** `null` as long as no record has told it and nothing is known from before. */
  get id(): string | null {
    return this.#id;
  }

  /**
   * @param path of the field in the answer
   * @throws {ContractError} naming the field, and neither the one id nor the other
   */
  check(operation: string, path: string, merchantId: string | Integer): void {
    const text = typeof merchantId === 'string' ? merchantId : integerText(merchantId);
    const id = withoutLeadingZeros(text);
    this.#id ??= id;
    if (id === this.#id) return;
    throw new ContractError({ operation }, path, "is not that of the merchant's other records");
  }

  /**
   * Holds what is read to an id from before.
   *
   * @throws {ContractError} when records with another one were read already
   */
  expect(id: string | null): void {
    if (id !== null) this.check('what was read so far', 'merchant_id', id);
  }
}
