import { expect, it } from 'vitest';
import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { registryOf } from '#support/plan/merchants.ts';

const good = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };
const bad = { ...good, name: 'bad', above: 'many' };

it('rules of a registry with errors are named by their place, those in the defaults once', () => {
  const given = registryOf(
    [
      { merchantCode: '700001' },
      { merchantCode: '700002' },
      { merchantCode: '700003', alerts: [good] },
      {
        merchantCode: '700004',
        timeZone: 'Nowhere',
        alerts: [good, bad, { ...good, name: 'c', muted: true }],
      },
      { merchantCode: '700005', alerts: 'none' },
      7,
    ],
    {
      defaults: {
        alerts: [
          { ...good, measure: 'unpaid' },
          { ...good, name: 'd', when: 1 },
        ],
      },
    },
  );
  const { leftOut, problems, unknown } = rulesOfRegistry(given);
  expect(leftOut).toBe(2);
  expect(problems.map(({ merchantCode }) => merchantCode)).toEqual([null, '700004']);
  expect(problems.map(({ at }) => fieldPath(at))).toEqual([
    'defaults.alerts[0].measure',
    'merchants[3].alerts[1].above',
  ]);
  expect(unknown.map(({ at }) => fieldPath(at))).toEqual([
    'defaults.alerts[1].when',
    'merchants[3].alerts[2].muted',
  ]);
});
