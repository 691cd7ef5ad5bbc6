import { asciiAddress, mailAddress } from '#registry/mail-address.ts';
import { didYouMean } from '../check/problem-words.ts';
import { UsageError } from '../terminal/command-errors.ts';

/** A mail address from the command line, without blanks around it. @throws {UsageError} when it is none */
export function givenAddress(text: string): string {
  const address = text.trim();
  if (!mailAddress.safeParse(address).success) {
    const meant = didYouMean(asciiAddress(address));
    throw new UsageError(`the argument is not an address such as owner@example.com${meant}`);
  }
  return address;
}
