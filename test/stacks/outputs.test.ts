import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS, REGISTRY_KEY } from '#lib/functions.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const outputSchema = z.object({ Value: z.unknown(), Description: z.string().min(10) });
const referenceSchema = z.strictObject({ Ref: z.string() });
const resourcesSchema = z.record(
  z.string(),
  z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
);

/** The value of an output; of a resource, its type and its name. */
function valueIn(stack: Template, value: unknown): unknown {
  const reference = referenceSchema.safeParse(value);
  if (!reference.success) return value;
  const { Type = '', Properties = {} } =
    resourcesSchema.parse(stack.toJSON()['Resources'])[reference.data.Ref] ?? {};
  const name = Properties['EmailIdentity'] ?? Properties['QueueName'] ?? Properties['Name'];
  return typeof name === 'string' ? `${Type} ${name}` : Type;
}

/** The outputs that people and commands use. CDK makes the others for references between stacks. */
function outputsOf(stack: Template): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stack.findOutputs('*'))
      .filter(([name]) => !/^(Exports|Publish)Output/.test(name))
      .map(([name, output]) => [name, valueIn(stack, outputSchema.parse(output).Value)]),
  );
}

describe('the outputs of the stacks', () => {
  it('name the sender, the identity, the configuration set and the topic', () => {
    expect(outputsOf(template('Mail'))).toEqual({
      MailFrom: 'reports@daybook.example.com',
      OpsRecipients: 'operations@example.com',
      TopicArn: 'AWS::SNS::Topic',
      Identity: 'AWS::SES::EmailIdentity daybook.example.com',
      ConfigurationSet: 'AWS::SES::ConfigurationSet daybook-prod',
    });
  });

  it('name the registry, the secrets, the allowed origins, every function and queue', () => {
    const functions = template('Functions');
    const named = {
      PlanFunction: 'daybook-prod-plan:live',
      DailyReportFunction: 'daybook-prod-daily-report:live',
      StatementFunction: 'daybook-prod-statement:live',
      AlertCheckFunction: 'daybook-prod-alert-check:live',
      DeliveryWatchFunction: 'daybook-prod-delivery-watch:live',
      MailEventsFunction: 'daybook-prod-mail-events:live',
      SweepFunction: 'daybook-prod-sweep:live',
      LakeFunction: 'daybook-prod-lake:live',
    };
    expect(outputsOf(functions)).toEqual({
      RegistryKey: REGISTRY_KEY,
      CredentialsSecret: 'daybook/prod/credentials',
      CredentialsSecretPrefix: 'daybook/prod/merchants/',
      ServiceOrigins: 'https://api.payments.example.com',
      ...named,
      ReportsQueue: 'AWS::SQS::Queue daybook-prod-reports',
      BackfillsQueue: 'AWS::SQS::Queue daybook-prod-backfills',
      AlertsQueue: 'AWS::SQS::Queue daybook-prod-alerts',
      ...{ ReportsConcurrency: '50', BackfillsConcurrency: '5', AlertsConcurrency: '20' },
    });
    expect(Object.keys(named)).toHaveLength(Object.keys(FUNCTIONS).length);
    for (const value of Object.values(named)) {
      const [FunctionName, Name] = value.split(':');
      functions.hasResourceProperties('AWS::Lambda::Function', { FunctionName });
      functions.hasResourceProperties('AWS::Lambda::Alias', { Name });
    }
  });

  it('name every schedule with its group', () => {
    const schedules = template('Schedules');
    const { ScheduleGroup, Schedules, ...others } = outputsOf(schedules);
    expect(ScheduleGroup).toBe('daybook-prod');
    schedules.hasResourceProperties('AWS::Scheduler::ScheduleGroup', { Name: ScheduleGroup });
    schedules.allResourcesProperties('AWS::Scheduler::Schedule', { GroupName: ScheduleGroup });
    const ids = Object.keys(schedules.findResources('AWS::Scheduler::Schedule'));
    expect(Schedules).toEqual({ 'Fn::Join': [',', expect.arrayContaining(ids.map((Ref) => ({ Ref })))] });
    expect(others).toEqual({});
  });

  it('leave out what a stage does not set, and list all values with commas between them', async () => {
    const bare = await synthesise('prod', (changed) => {
      changed.ops.recipients = [];
      delete changed.credentials.prefix;
    });
    expect(outputsOf(bare.template('Mail'))).not.toHaveProperty('OpsRecipients');
    expect(outputsOf(bare.template('Functions'))).not.toHaveProperty('CredentialsSecretPrefix');
    const more = await synthesise('prod', (changed) => {
      changed.ops.recipients = ['a@example.com', 'b@example.com'];
      changed.service.origins = ['https://one.example.com', 'https://two.example.com'];
    });
    expect(outputsOf(more.template('Mail'))['OpsRecipients']).toBe('a@example.com,b@example.com');
    expect(outputsOf(more.template('Functions'))['ServiceOrigins']).toBe(
      'https://one.example.com,https://two.example.com',
    );
  }, 180_000);
});
