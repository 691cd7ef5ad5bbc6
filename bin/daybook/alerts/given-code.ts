import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import { UsageError } from '../terminal/command-errors.ts';

/** A merchant's code from the command line. @throws {UsageError} when the text cannot be a merchant's code */
export function givenCode(text: string): string {
  if (MERCHANT_CODE.test(text)) return text;
  throw new UsageError('the code of a merchant has 1 to 64 letters, digits and "-"');
}
