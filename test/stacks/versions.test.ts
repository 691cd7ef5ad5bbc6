import { describe, expect, it } from 'vitest';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import { readSettings } from '#lib/settings.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesiseAnew } from '#support/stacks/synthesis.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { textLike } from '#support/assertions/text-like.ts';

const { template } = await synthesise('prod');
const functions = template('Functions');

const LIVE = { Name: 'live' };

/** The logical ids of the versions: a new id is a new version. */
function versionsOf(stack: Template): string[] {
  return Object.keys(stack.findResources('AWS::Lambda::Version'));
}

describe('a function', () => {
  it.each(Object.keys(FUNCTIONS))('has a version that later deploys keep, and an alias: %s', (name) => {
    const id = name.replaceAll('-', '');
    const [version, ...others] = Object.entries(functions.findResources('AWS::Lambda::Version')).filter(
      ([each]) => each.startsWith(`${id}Function`),
    );
    expect(others).toEqual([]);
    // It stays when a later one comes, and goes when the deploy that makes it fails.
    expect(version?.[1]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    functions.hasResourceProperties('AWS::Lambda::Alias', {
      ...LIVE,
      FunctionVersion: { 'Fn::GetAtt': [version?.[0], 'Version'] },
    });
  });

  it('that nobody waits for is tried again and has its dead letters, also when the alias is called', () => {
    const configured = propertiesOf(
      functions,
      'AWS::Lambda::EventInvokeConfig',
      z.object({ MaximumRetryAttempts: z.literal(2), Qualifier: z.unknown() }),
    );
    const aliases = Object.values(configured).filter(({ Qualifier }) => Qualifier !== '$LATEST');
    const unattended = Object.values(FUNCTIONS).filter((each) => each.unattended).length;
    expect(aliases).toHaveLength(unattended);
    const queue = z.object({ TargetArn: z.unknown() }).optional();
    const all = propertiesOf(functions, 'AWS::Lambda::Function', z.object({ DeadLetterConfig: queue }));
    const queued = Object.values(all).filter(({ DeadLetterConfig }) => DeadLetterConfig !== undefined);
    expect(queued).toHaveLength(unattended);
    for (const { Qualifier } of aliases) expect(JSON.stringify(Qualifier)).toMatch(/"\w+Live[0-9A-F]{8}"/);
  });

  it('gets events by its alias, with the right to call it', () => {
    const id = { Ref: textLike(/^maileventsLive/) };
    const [rule] = Object.values(
      propertiesOf(functions, 'AWS::Events::Rule', z.object({ Targets: z.unknown() })),
    );
    expect(rule?.Targets).toMatchObject([{ Arn: id }]);
    const permission = propertiesOf(
      functions,
      'AWS::Lambda::Permission',
      z.object({ FunctionName: z.unknown(), Principal: z.string() }),
    );
    expect(Object.values(permission)).toEqual([{ FunctionName: id, Principal: 'events.amazonaws.com' }]);
  });
});

describe('a deploy', () => {
  it('of other code makes other versions', () => {
    const anew = synthesiseAnew(readSettings('prod'), 'export const handler = async () => "other";\n');
    const other = Template.fromJSON(z.record(z.string(), z.unknown()).parse(anew['Functions']));
    expect(new Set(versionsOf(other)).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
  }, 180_000);

  it('of a setting of the functions makes other versions as well', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.deadlines.deliveryMinutes += 1;
    });
    const now = versionsOf(changed.template('Functions'));
    expect(new Set(now).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
  }, 180_000);

  it('of anything else makes none: Lambda refuses a version that equals the last one', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.lake.scanLimit += 1;
      settings.retention.accessLogDays += 1;
      settings.schedules.daily = 'cron(0/20 * * * ? *)';
    });
    expect(versionsOf(changed.template('Functions'))).toEqual(versionsOf(functions));
  }, 180_000);
});
