import { expect, it } from 'vitest';
import { suggestionFor } from '#bin/daybook/check/suggestion.ts';

const NAMES = ['recipients', 'reportAt', 'reportFrom', 'timeZone', 'name', 'alerts', 'attachCsv'];

it.each([
  ['reciepients', 'recipients'],
  ['Recipients', 'recipients'],
  ['time_zone', 'timeZone'],
  ['reportat', 'reportAt'],
  ['alert', 'alerts'],
  ['nmae', undefined],
  ['colour', undefined],
  ['recipients', undefined],
  ['', undefined],
  ['r'.repeat(65), undefined],
])('%j may have been meant as %j', (given, meant) => {
  expect(suggestionFor(given, NAMES)).toBe(meant);
});
