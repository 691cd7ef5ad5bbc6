import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { outlivingResources, statefulResources } from '#support/stacks/stateful-resources.ts';
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

async function resourcesOf(stage: string) {
  const { templates } = await synthesise(stage);
  const stateful = Object.fromEntries(
    Object.entries(templates).map(([stack, template]) => [stack, statefulResources(template)]),
  );
  return { stage, stateful, outliving: Object.values(templates).flatMap(outlivingResources) };
}
const [dev, prod] = await Promise.all([resourcesOf('dev'), resourcesOf('prod')]);

describe.each([dev, prod])('an upgrade of $stage', ({ stage, stateful: now }) => {
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

it.each([
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
  'AWS::SES::EmailIdentity',
  'AWS::Logs::LogGroup',
])('the list of what is deployed has each %s', (type) => {
  for (const stage of ['dev', 'prod']) {
    const resources = Object.values(deployed[stage] ?? {}).flatMap((stack) => Object.values(stack));
    expect(resources.map(({ Type }) => Type)).toContain(type);
  }
});

describe('what outlives its stack', () => {
  it('is nothing where `removal` is `destroy`', () => {
    expect(dev.outliving).toEqual([]);
  });

  it('is data, logs and what others may use where `removal` is `retain`', () => {
    const byType = Map.groupBy(prod.outliving, ({ type }) => type);
    expect(Object.fromEntries([...byType].map(([type, of]) => [type, of.length]))).toEqual({
      'AWS::KMS::Key': 1,
      // The data, the access logs, the answers of queries.
      'AWS::S3::Bucket': 3,
      // One of each function.
      'AWS::Logs::LogGroup': 8,
      'AWS::EventSchemas::Registry': 1,
    });
  });

  it('goes with a first deploy that fails: otherwise the next one would find its name taken', () => {
    expect(prod.outliving.filter(({ goesWithItsCreation }) => !goesWithItsCreation)).toEqual([]);
  });
});
