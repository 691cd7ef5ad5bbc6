import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTION_NAMES } from '#lib/functions.ts';
import type { Settings } from '#lib/settings.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { statementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const functions = template('Functions');
/** Without `ManagedPolicyArns` and `Policies`. */
const roleSchema = z.strictObject({
  AssumeRolePolicyDocument: z.unknown(),
  Description: z.string(),
  Tags: z.unknown(),
});

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

  it.each(FUNCTION_NAMES)(
    'are the recorded statements, and cover no resource by a star alone: %s',
    async (name) => {
      const statements = statementsOf(functions, name);
      await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot(`rights/${name}.txt`);
      for (const statement of statements) expect(statement).not.toMatch(/: \*|\*:|data\/\*/);
    },
  );

  it('come from no managed policy, and are those of a role that no other function has', () => {
    const roles = Object.values(propertiesOf(functions, 'AWS::IAM::Role', roleSchema));
    const descriptions = FUNCTION_NAMES.map((name) => `daybook-prod-${name}: what this function may do`);
    expect(roles.map(({ Description }) => Description).toSorted()).toEqual(descriptions.toSorted());
  });

  it.each([
    [
      'write no registry but its last good copy, which is for plan alone',
      /s3:Put.*(config|data\/?\*)/,
      ['plan s3:PutObject: data/config/last-good/merchants.json'],
    ],
    [
      'delete data files by sweep, and nothing else',
      /s3:Delete/,
      ['sweep s3:DeleteObject: data/invoices/*', 'sweep s3:DeleteObject: data/refunds/*'],
    ],
  ])('%s', (_, pattern, expected) => {
    const found = FUNCTION_NAMES.flatMap((name) =>
      statementsOf(functions, name)
        .filter((statement) => pattern.test(statement))
        .map((statement) => `${name} ${statement}`),
    );
    expect(found.sort()).toEqual(expected);
  });
});
