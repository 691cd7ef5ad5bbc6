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
  const [, table, field] = /^(invoices|refunds) with (.+) twice$/.exec(what) ?? [];
  if (field !== undefined) {
    const of = table === 'invoices' ? 'balance.twice.invoices' : 'balance.twice.refunds';
    return texts.say(of, { field: words.outside(field) });
  }
  return words.outside(what);
}

function sideSays(value: Difference['service'], words: FigureWords): string {
  if (value === null || typeof value === 'number') return words.count(value);
  const name = `balance.says.${value}`;
  return words.texts.has(name) ? words.texts.say(name) : words.outside(value);
}

/** How many of some invoices are not what they were asked for as, and the ids of the first ones. */
function someInvoices({ service, rows, ids }: Difference) {
  if (typeof service !== 'number' || typeof rows !== 'number' || ids === undefined) return undefined;
  return { all: service, count: service - rows, ids };
}

/** Of invoices of another type or day than was asked for; `undefined` for any other difference. */
function misplacedSentence(difference: Difference, words: FigureWords): string | undefined {
  const { texts } = words;
  const some = someInvoices(difference);
  const invoiceType = /^invoice_type of invoiceType (.+)$/.exec(difference.what)?.[1];
  const isOfDay = difference.what === 'day of the invoices';
  if (some === undefined || (invoiceType === undefined && !isOfDay)) return undefined;
  const ids = some.ids.map((id) => words.outside(id)).join(texts.say('comma'));
  const values = { all: words.count(some.all), count: some.count, ids };
  if (invoiceType === undefined) return texts.say('balance.otherDay', values);
  return texts.say('balance.otherType', { ...values, type: words.outside(invoiceType) });
}

/** One difference as a sentence; what the catalogue has no words for is said as the manifest says it. */
export function differenceSentence(difference: Difference, words: FigureWords): string {
  const misplaced = misplacedSentence(difference, words);
  if (misplaced !== undefined) return misplaced;
  return words.texts.say('balance.difference', {
    what: whatDiffers(difference.what, words),
    service: sideSays(difference.service, words),
    rows: sideSays(difference.rows, words),
  });
}
