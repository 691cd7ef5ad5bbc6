import { expect, it } from 'vitest';
import { DOCUMENTS, textOf } from '#support/documentation/documents.ts';

/** Shorter sentences, such as "What is done is not done again.", may stand where a reader needs them. */
const SHORTEST = 10;

/** The sentences of a document in lower case: without code blocks, tables, headings and the targets of links. */
function sentencesOf(document: string): string[] {
  return textOf(document)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/^(?:\||#).*$/gm, '\n')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:-|\d\.) )|(?<=[.:?])\s+/)
    .map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' '))
    .filter((sentence) => sentence.split(' ').length >= SHORTEST);
}

it('no sentence stands in two documents', () => {
  const places = new Map<string, Set<string>>();
  for (const document of DOCUMENTS) {
    for (const sentence of sentencesOf(document)) {
      places.set(sentence, (places.get(sentence) ?? new Set()).add(document));
    }
  }
  expect(places.size).toBeGreaterThan(1_000);
  const twice = [...places].filter(([, documents]) => documents.size > 1);
  expect(twice.map(([sentence, documents]) => `${[...documents].join(', ')}: ${sentence}`)).toEqual([]);
});
