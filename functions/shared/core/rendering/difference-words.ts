import type { Difference } from '../figures.ts';
import { isolated } from './outside-text.ts';
import { printCount } from './printed-figures.ts';
import { DIFFERENCES, DIFFERENCE_WORDS } from './texts/texts.ts';
import type { Texts } from './texts/texts.ts';

function whatDiffers(what: string, texts: Texts): string {
  const known = DIFFERENCES.find((name) => name === what);
  if (known !== undefined) return texts.balance.differences[known];
  const invoiceType = /^pagination\.total of invoiceType (.+)$/.exec(what)?.[1];
  if (invoiceType !== undefined) return texts.balance.pagesOfType(isolated(invoiceType));
  const refundId = /^refund (\d+)$/.exec(what)?.[1];
  if (refundId !== undefined) return texts.balance.refund(isolated(refundId));
  return isolated(what);
}

function sideSays(value: Difference['service'], texts: Texts): string {
  if (value === null) return texts.unknown;
  const word = DIFFERENCE_WORDS.find((known) => known === value);
  if (word !== undefined) return texts.balance.words[word];
  return isolated(typeof value === 'number' ? printCount(value, texts.unknown) : value);
}

/** One difference as a sentence; what the catalogue has no words for is said as the manifest says it. */
export function differenceSentence(difference: Difference, texts: Texts): string {
  return texts.balance.difference(
    whatDiffers(difference.what, texts),
    sideSays(difference.service, texts),
    sideSays(difference.rows, texts),
  );
}
