import { describe, expect, it } from 'vitest';
import { textOf } from '#support/documentation/documents.ts';
import { rowsOf, sectionOf } from '#support/documentation/markdown.ts';

const CHECKS_A_DAY = 96;
const scale = sectionOf(textOf('docs/scale.md'), 'What a stage costs');
const number = (text = '') => Number(text.replaceAll(',', ''));
/** A price such as `0.20 / 1,000,000`. */
function price(text: string): number {
  const [dollars, units = '1'] = text.split(' / ');
  return number(dollars) / number(units);
}

const units = rowsOf(scale, 'unit').map(([, stage, merchant, check, , dollars = '']) => {
  return { stage: number(stage), merchant: number(merchant), check: number(check), dollars: price(dollars) };
});
const examples = rowsOf(scale, 'merchants').map((row) => row.map(number));

/** By the formula of the document. */
function dollarsADay(merchants: number, checks: number): number {
  return units.reduce(
    (sum, { stage, merchant, check, dollars }) =>
      sum + (stage + merchants * merchant + checks * check) * dollars,
    0,
  );
}

describe('what a stage costs', () => {
  it.each(examples)('follows from the units: %i merchants', (merchants = 0, reports = 0, _, all = 0) => {
    expect(dollarsADay(merchants, 0) / reports).toBeCloseTo(1, 1.4);
    expect(dollarsADay(merchants, merchants * CHECKS_A_DAY) / all).toBeCloseTo(1, 1.4);
  });

  it('is the same in the deployment guide', () => {
    const guide = rowsOf(textOf('docs/deploy.md'), 'merchants').map((row) => row.map(number));
    expect(guide).toEqual(examples.map(([merchants, , reports, , all]) => [merchants, reports, all]));
    expect(examples.map(([merchants]) => merchants)).toEqual([1, 100, 1_000, 10_000]);
  });
});
