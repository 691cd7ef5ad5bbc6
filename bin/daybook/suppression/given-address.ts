import * as z from 'zod';
import { UsageError } from '../terminal/command-errors.ts';

const addressSchema = z.email();

/** A mail address from the command line, without blanks around it. @throws {UsageError} when it is none */
export function givenAddress(text: string): string {
  const address = text.trim();
  if (!addressSchema.safeParse(address).success) {
    throw new UsageError('the argument is not an address such as owner@example.com');
  }
  return address;
}
