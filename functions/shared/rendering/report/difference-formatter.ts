import { unlistedIn } from '#domain/balance/bounded-findings.ts';
import type { Difference } from '#domain/figures/figures.ts';
import type { FigureWords } from '../formatters/figure-formatter.ts';

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

/** Of some invoices: how many of them are of another type or day than was asked for, and the ids of the first ones. */
function someInvoices({ service, rows, ids }: Difference) {
  if (typeof service !== 'number' || typeof rows !== 'number' || ids === undefined) return undefined;
  return { all: service, count: service - rows, ids };
}

/** About invoices of another type or day than was asked for; `undefined` for any other difference. */
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

/** Fields that the manifest does not name: there are too many, or the name is no plain word. */
const UNNAMED = new Set(['further fields', '(another name)']);

/** About a field that stood twice in a record; `undefined` for any other difference. */
function repeatedSentence({ what, service }: Difference, words: FigureWords): string | undefined {
  const [, table, field] = /^(invoices|refunds) with (.+) twice$/.exec(what) ?? [];
  if (field === undefined || typeof service !== 'number') return undefined;
  const name = table === 'invoices' ? 'balance.twice.invoices' : 'balance.twice.refunds';
  const count = words.count(service);
  if (UNNAMED.has(field)) return words.texts.say(`${name}.other`, { count });
  return words.texts.say(name, { field: words.outside(field), count });
}

/** One difference as a sentence. Where the catalogue has no words for it, the sentence has those of the manifest. */
function differenceSentence(difference: Difference, words: FigureWords): string {
  const own = misplacedSentence(difference, words) ?? repeatedSentence(difference, words);
  if (own !== undefined) return own;
  return words.texts.say('balance.difference', {
    what: whatDiffers(difference.what, words),
    service: sideSays(difference.service, words),
    rows: sideSays(difference.rows, words),
  });
}

/** Differences as sentences: as many as the mail has room for, and how many there are besides. */
export function differenceSentences(
  differences: readonly Difference[],
  words: FigureWords,
): { sentences: string[]; others: number } {
  const listed = differences.filter((difference) => unlistedIn(difference) === 0);
  const unlisted = differences.reduce((count, difference) => count + unlistedIn(difference), 0);
  const sentences = listed
    .slice(0, words.limits.list)
    .map((difference) => differenceSentence(difference, words));
  return { sentences, others: listed.length - sentences.length + unlisted };
}
