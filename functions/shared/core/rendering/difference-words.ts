import type { Difference } from '../figures.ts';
import type { FigureWords } from './figure-words.ts';
import { isolated } from './outside-text.ts';

function whatDiffers(what: string, { texts }: FigureWords): string {
  const name = `balance.what.${what}`;
  if (texts.has(name)) return texts.say(name);
  const invoiceType = /^pagination\.total of invoiceType (.+)$/.exec(what)?.[1];
  if (invoiceType !== undefined) return texts.say('balance.pagesOfType', { type: isolated(invoiceType) });
  const refundId = /^refund (\d+)$/.exec(what)?.[1];
  if (refundId !== undefined) return texts.say('balance.refund', { id: isolated(refundId) });
  return isolated(what);
}

function sideSays(value: Difference['service'], words: FigureWords): string {
  if (value === null || typeof value === 'number') return words.count(value);
  const name = `balance.says.${value}`;
  return words.texts.has(name) ? words.texts.say(name) : isolated(value);
}

/** One difference as a sentence; what the catalogue has no words for is said as the manifest says it. */
export function differenceSentence(difference: Difference, words: FigureWords): string {
  return words.texts.say('balance.difference', {
    what: whatDiffers(difference.what, words),
    service: sideSays(difference.service, words),
    rows: sideSays(difference.rows, words),
  });
}
