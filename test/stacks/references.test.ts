import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Settings } from '#lib/settings.ts';
import { synthesise, type SynthesisedStage } from '#support/stacks/synthesised.ts';

/*
 * A stack that uses what another one made must not go on with what is gone. CloudFormation holds what is exported and
 * imported. Everything else that stacks refer to has a name that the stacks choose, which stays when it is made anew.
 */

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() }))
    .default({}),
});
const madeSchema = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z
    .strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
    .transform((value) => value['Fn::GetAtt'][0]),
]);

/** The properties by which the stacks name a resource. */
const NAMES = ['EmailIdentity', 'FunctionName', 'Name', 'QueueName'];

/**
 * What each stack exports. If a line goes away, an upgrade is refused: the consumer still imports it when the producer is
 * deployed. Deploy the consumer alone first (`cdk deploy --exclusively`), and say so in the changelog.
 */
const EXPORTS = [
  'Data Bucket Arn',
  'Data Bucket Ref',
  'Data Key Arn',
  'Data AccessLogs Ref',
  'Functions DeadLetters Arn',
  'Functions DeadLetters QueueName',
  // The stack Lake grants what Athena needs.
  'Functions lakeRole Ref',
  'Mail Topic Ref',
].toSorted();

function exportsOf({ templates }: SynthesisedStage): string[] {
  return Object.entries(templates)
    .flatMap(([stack, template]) =>
      Object.values(templateSchema.parse(template.toJSON()).Outputs).flatMap(({ Value, Export }) => {
        if (Export === undefined) return [];
        const attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).safeParse(Value);
        const id = madeSchema.parse(Value).replace(/[0-9A-F]{8}$/, '');
        return [`${stack} ${id} ${attribute.success ? attribute.data['Fn::GetAtt'][1] : 'Ref'}`];
      }),
    )
    .toSorted();
}

const CHANGES: [string, (settings: Settings) => void][] = [
  ['as they are', () => undefined],
  ['without the history', (settings) => (settings.lake.history = false)],
  ['without test events', (settings) => (settings.console.testEvents = 'none')],
  [
    'without people who get notices by mail',
    (settings) => {
      settings.ops.recipients = [];
      settings.ops.subscribers = ['operations@example.com'];
    },
  ],
];

describe.each(['dev', 'prod'])('the stacks of %s', (stage) => {
  it.each(CHANGES)(
    'hold what CloudFormation names, with every setting: %s',
    async (_, change) => {
      expect(exportsOf(await synthesise(stage, change))).toEqual(EXPORTS);
    },
    180_000,
  );

  it('import from another stack, so that it cannot be deleted under them', async () => {
    const { templates } = await synthesise(stage);
    const importers = (producer: string) =>
      Object.entries(templates)
        .filter(([, template]) =>
          JSON.stringify(template.toJSON()).includes(`{"Fn::ImportValue":"Daybook-${stage}-${producer}:`),
        )
        .map(([name]) => name)
        .toSorted();
    expect(importers('Data')).toEqual(['Access', 'Functions', 'Lake', 'Mail']);
    expect(importers('Mail')).toEqual(['Access', 'Functions', 'Monitoring']);
    expect(importers('Functions')).toEqual(['Lake', 'Monitoring', 'Schedules']);
  });

  it('refer in another way only to resources that they name themselves', async () => {
    const { templates } = await synthesise(stage);
    const references = Object.values(templates).flatMap((template) => [
      ...JSON.stringify(template.toJSON()).matchAll(
        /\{"Fn::GetStackOutput":\{"StackName":"Daybook-\w+-(\w+)"[^}]*"OutputName":"(\w+)"\}\}/g,
      ),
    ]);
    expect(references.length).toBeGreaterThan(15);
    for (const [, stack = '', output = ''] of references) {
      const producer = templateSchema.parse(templates[stack]?.toJSON());
      const made = producer.Resources[madeSchema.parse(producer.Outputs[output]?.Value)];
      const names = NAMES.flatMap((name) => made?.Properties[name] ?? []);
      expect(
        names.filter((name) => typeof name === 'string'),
        `${stack} ${output}`,
      ).not.toEqual([]);
    }
  });
});
