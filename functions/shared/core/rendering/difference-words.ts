import type { Difference } from '../figures.ts';
import type { FigureWords } from './figure-words.ts';

function whatDiffers(what: string, words: FigureWords): string {
  const { texts } = words;
  const name = `balance.what.${what}`;
  if (texts.has(name)) return texts.say(name);
  const invoiceType = /^pagination\.total of invoiceType (.+)$/.exec(what)?.[1];
  if (invoiceType !== undefined)
    return texts.say('balance.pagesOfType', { type: words.outside(invoiceType) });
  const refundId = /^refund (\d+)$/.exec(what)?.[1];
  if (refundId !== undefined) return texts.say('balance.refund', { id: words.outside(refundId) });
  return words.outside(what);
}

function sideSays(value: Difference['service'], words: FigureWords): string {
  if (value === null || typeof value === 'number') return words.count(value);
  const name = `balance.says.${value}`;
  return words.texts.has(name) ? words.texts.say(name) : words.outside(value);
}

/** One difference as a sentence; what the catalogue has no words for is said as the manifest says it. */
export function differenceSentence(difference: Difference, words: FigureWords): string {
  return words.texts.say('balance.difference', {
    what: whatDiffers(difference.what, words),
    service: sideSays(difference.service, words),
    rows: sideSays(difference.rows, words),
  });
}
