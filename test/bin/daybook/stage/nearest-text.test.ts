import { expect, it } from 'vitest';
import { nearestText } from '#bin/daybook/stage/known-names.ts';

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
  ['r'.repeat(321), undefined],
])('%j may have been meant as %j', (given, meant) => {
  expect(nearestText(given, NAMES)).toBe(meant);
});
