import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import type { Settings } from '#lib/settings.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { statementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const functions = template('Functions');

describe('the rights of the functions', () => {
  it.each<[string, Partial<Settings>]>([
    ['a region that the library does not know yet', { region: 'ap-southeast-9' }],
    ['another partition', { region: 'us-gov-west-1' }],
    ['an account that is given', { account: '111122223333' }],
  ])(
    'pass the checks in %s',
    async (_, change) => {
      const synth = synthesise('prod', (settings) => Object.assign(settings, change));
      await expect(synth).resolves.toHaveProperty('templates.Functions');
    },
    120_000,
  );

  it.each(Object.keys(FUNCTIONS))('are the recorded statements: %s', async (name) => {
    await expect(`${statementsOf(functions, name).join('\n')}\n`).toMatchFileSnapshot(`rights/${name}.txt`);
  });

  it('are those of a role that no other function has', () => {
    const schema = z.looseObject({ Role: z.unknown() });
    const roles = Object.values(propertiesOf(functions, 'AWS::Lambda::Function', schema)).map(({ Role }) =>
      JSON.stringify(Role),
    );
    expect(new Set(roles).size).toBe(roles.length);
    expect(roles.length).toBeGreaterThanOrEqual(Object.keys(FUNCTIONS).length);
  });

  it('write no registry but its last good copy, which is for plan alone', () => {
    const writers = Object.keys(FUNCTIONS).flatMap((name) =>
      statementsOf(functions, name)
        .filter((statement) => /s3:Put.*(config|data\/?\*)/.test(statement))
        .map((statement) => `${name} ${statement}`),
    );
    expect(writers).toEqual(['plan s3:PutObject: data/config/last-good/merchants.json']);
  });

  it('delete data files by sweep, and nothing else', () => {
    const deleters = Object.keys(FUNCTIONS).flatMap((name) =>
      statementsOf(functions, name)
        .filter((statement) => statement.includes('s3:Delete'))
        .map((statement) => `${name} ${statement}`),
    );
    expect(deleters.sort()).toEqual([
      'sweep s3:DeleteObject: data/invoices/*',
      'sweep s3:DeleteObject: data/refunds/*',
    ]);
  });

  it.each(Object.keys(FUNCTIONS))(
    'cover no resource by a star alone, and come from no managed policy: %s',
    (name) => {
      for (const statement of statementsOf(functions, name))
        expect(statement).not.toMatch(/: \*|\*:|data\/\*/);
      const roles = functions.findResources('AWS::IAM::Role', {
        Properties: { Description: `daybook-prod-${name}: what this function may do` },
      });
      expect(Object.values(roles)).toHaveLength(1);
      for (const role of Object.values(roles)) {
        expect(role).toHaveProperty('Properties');
        expect(role).not.toHaveProperty('Properties.ManagedPolicyArns');
        expect(role).not.toHaveProperty('Properties.Policies');
      }
    },
  );
});
