import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { statefulResources } from '#support/stacks/stateful-resources.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

/*
 * An upgrade must not replace what holds data: CloudFormation would make a new, empty resource, and the old one would be
 * deleted or left behind. It replaces a resource whose logical id or whose key property changes. `stateful-resources.json`
 * has both, as they are deployed. It is no snapshot, so that `-u` cannot change it: add lines by hand for new
 * resources, and change no line.
 */

const resourcesSchema = z.record(
  z.string(),
  z.strictObject({ Type: z.string(), KeyProperties: z.record(z.string(), z.unknown()) }),
);
const deployed = z
  .record(z.string(), z.record(z.string(), resourcesSchema))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'stateful-resources.json'), 'utf8')));

const stages = await Promise.all(
  ['dev', 'prod'].map(async (stage) => {
    const { templates } = await synthesise(stage);
    const resources = Object.fromEntries(
      Object.entries(templates).map(([stack, template]) => [stack, statefulResources(template)]),
    );
    return [stage, resources] as const;
  }),
);

describe.each(stages)('an upgrade of %s', (stage, now) => {
  const before = Object.entries(deployed[stage] ?? {});

  it.each(before)('keeps the stateful resources that are deployed: %s', (stack, resources) => {
    expect(now[stack]).toMatchObject(resources);
    // Without a property that it had, or with another one, a resource is replaced as well.
    for (const [id, { KeyProperties }] of Object.entries(resources))
      expect(now[stack]?.[id]?.KeyProperties, id).toEqual(KeyProperties);
  });

  it('has no stateful resource that the list does not know', () => {
    const unknown = Object.entries(now).flatMap(([stack, resources]) =>
      Object.entries(resources)
        .filter(([id]) => deployed[stage]?.[stack]?.[id] === undefined)
        .map(([id, resource]) => `add to ${stage}, ${stack}: ${JSON.stringify({ [id]: resource })}`),
    );
    expect(unknown).toEqual([]);
  });
});

it('the list has every kind of resource with data, in both stages', () => {
  for (const stage of ['dev', 'prod']) {
    const types = Object.values(deployed[stage] ?? {})
      .flatMap((resources) => Object.values(resources))
      .map(({ Type }) => Type);
    expect(new Set(types)).toEqual(
      new Set([
        ...['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::SNS::Topic', 'AWS::SNS::Subscription'],
        ...[
          'AWS::SES::EmailIdentity',
          'AWS::SES::ConfigurationSet',
          'AWS::SQS::Queue',
          'AWS::Logs::LogGroup',
        ],
        ...['AWS::Lambda::Function', 'AWS::Scheduler::ScheduleGroup'],
        ...['AWS::Glue::Database', 'AWS::Athena::WorkGroup', 'AWS::IAM::ManagedPolicy'],
        ...(stage === 'prod' ? ['AWS::EventSchemas::Registry'] : []),
      ]),
    );
  }
});
