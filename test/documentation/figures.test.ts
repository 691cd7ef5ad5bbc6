import { describe, expect, it } from 'vitest';
import { DOCUMENTS, textOf } from '#support/documentation/documents.ts';
import { COUNTED, FIGURES, numberOf, ROUND_FIGURES } from '#support/documentation/figures.ts';
import { metricsOfReadmes, metricsOfTheCode } from '#support/documentation/metrics.ts';

/** The figure that a document gives, `undefined` where the sentence is not there. */
function figureIn(document: string, says: RegExp): number | undefined {
  const text = textOf(document).replaceAll(/(?<!\|)\n(?!\n|\|)/g, ' ');
  const found = says.exec(text)?.[1] ?? says.exec(textOf(document))?.[1];
  return found === undefined ? undefined : numberOf(found);
}

describe('a figure in a document is what the repository has:', () => {
  it.each(FIGURES)('$document, $says', ({ document, says, is }) => {
    expect(figureIn(document, says)).toBe(is());
  });

  it.each(ROUND_FIGURES)('about, in $document, $says', ({ document, says, is }) => {
    const figure = figureIn(document, says) ?? 0;
    expect(figure).toBeGreaterThan(is() * 0.9);
    expect(figure).toBeLessThan(is() * 1.1);
  });

  it.each(DOCUMENTS)('%s has no figure about the repository that no test counts', (document) => {
    const counted = new RegExp(`\\b\\d+ (?:${COUNTED.join('|')})\\b`, 'g');
    const own = FIGURES.filter((figure) => figure.document === document);
    const strange = textOf(document)
      .split('\n')
      .filter((line) => counted.test(line) && !own.some(({ says }) => says.test(line)));
    expect(strange).toEqual([]);
  });
});

describe('the metrics of the functions', () => {
  it('are the same in the READMEs and in the code', () => {
    const named = new Set(metricsOfReadmes().map((metric) => metric.replace(/^.* /, '')));
    expect([...named].sort()).toEqual(metricsOfTheCode().sort());
  });
});
