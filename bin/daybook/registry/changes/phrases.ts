import { counted, firstNamed } from '../../terminal/counted.ts';

/** The most codes in a sentence. */
const MOST_NAMED = 10;

/** What a sentence says of one merchant, and of several. The codes replace `{}`. */
export interface Phrase {
  one: string;
  many: string;
}

/** A phrase that begins with the codes: `700001 gets …`, `700001, 700002 get …`. */
export function about(one: string, many: string): Phrase {
  return { one: `{} ${one}`, many: `{} ${many}` };
}

/** A phrase that is the same for one and for several. */
export function same(text: string): Phrase {
  return { one: text, many: text };
}

/** Codes for a sentence: the first ones, and how many more. */
export function named(codes: readonly string[]): string {
  return firstNamed(codes, MOST_NAMED);
}

/** Sentences of what merchants have in common: those of whom the same is said are in one sentence. */
export class Sentences {
  readonly #said = new Map<string, { phrase: Phrase; codes: string[] }>();

  add(merchantCode: string, phrase: Phrase): void {
    const known = this.#said.get(phrase.one);
    if (known === undefined) this.#said.set(phrase.one, { phrase, codes: [merchantCode] });
    else known.codes.push(merchantCode);
  }

  toList(): string[] {
    return [...this.#said.values()].map(({ phrase, codes }) => {
      if (codes.length === 1) return `${phrase.one.replace('{}', () => named(codes))}.`;
      if (codes.length <= MOST_NAMED) return `${phrase.many.replace('{}', () => named(codes))}.`;
      return `${phrase.many.replace('{}', () => counted(codes.length, 'merchant'))}: ${named(codes)}.`;
    });
  }
}
