import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS, REGISTRY_KEY } from '#lib/functions.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template, settings } = await synthesise('prod');
const outputSchema = z.object({ Value: z.unknown(), Description: z.string().min(10) });
const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});

/** The outputs that people and commands use. CDK makes the others for references between stacks. */
function outputsOf(stack: Template): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stack.findOutputs('*'))
      .filter(([name]) => !/^(Exports|Publish)Output/.test(name))
      .map(([name, output]) => [name, outputSchema.parse(output).Value]),
  );
}

/** A resource by its logical id. */
function resource(stack: Template, id: string) {
  return resourceSchema.parse(z.record(z.string(), z.unknown()).parse(stack.toJSON()['Resources'])[id]);
}

/** The resource that the value of an output refers to. */
function referredBy(stack: Template, value: unknown) {
  return resource(stack, z.strictObject({ Ref: z.string() }).parse(value).Ref);
}

describe('the outputs of the stacks', () => {
  it('name the sender, the identity, the configuration set and the topic', () => {
    const mail = template('Mail');
    const { TopicArn, Identity, ConfigurationSet, ...others } = outputsOf(mail);
    expect(referredBy(mail, TopicArn)).toMatchObject({ Type: 'AWS::SNS::Topic' });
    expect(referredBy(mail, Identity)).toMatchObject({
      Type: 'AWS::SES::EmailIdentity',
      Properties: { EmailIdentity: settings.mail.domain },
    });
    expect(referredBy(mail, ConfigurationSet)).toMatchObject({
      Type: 'AWS::SES::ConfigurationSet',
      Properties: { Name: 'daybook-prod' },
    });
    expect(others).toEqual({
      MailFrom: 'reports@daybook.example.com',
      OpsRecipients: 'operations@example.com',
    });
  });

  it('name the registry, the secrets, the allowed origins, every function and queue', () => {
    const functions = template('Functions');
    const { RegistryKey, CredentialsSecret, CredentialsSecretPrefix, ServiceOrigins, ...more } =
      outputsOf(functions);
    const { ReportsQueue, BackfillsQueue, AlertsQueue, ...concurrent } = more;
    const { ReportsConcurrency, BackfillsConcurrency, AlertsConcurrency, ...others } = concurrent;
    expect([ReportsConcurrency, BackfillsConcurrency, AlertsConcurrency]).toEqual(['50', '5', '20']);
    expect({ RegistryKey, CredentialsSecret, CredentialsSecretPrefix, ServiceOrigins }).toEqual({
      RegistryKey: REGISTRY_KEY,
      CredentialsSecret: 'daybook/prod/credentials',
      CredentialsSecretPrefix: 'daybook/prod/merchants/',
      ServiceOrigins: 'https://api.payments.example.com',
    });
    expect(others).toEqual({
      PlanFunction: 'daybook-prod-plan:live',
      DailyReportFunction: 'daybook-prod-daily-report:live',
      StatementFunction: 'daybook-prod-statement:live',
      AlertCheckFunction: 'daybook-prod-alert-check:live',
      DeliveryWatchFunction: 'daybook-prod-delivery-watch:live',
      MailEventsFunction: 'daybook-prod-mail-events:live',
      SweepFunction: 'daybook-prod-sweep:live',
      LakeFunction: 'daybook-prod-lake:live',
    });
    expect(Object.keys(others)).toHaveLength(Object.keys(FUNCTIONS).length);
    for (const value of Object.values(others)) {
      const [FunctionName, Name] = String(value).split(':');
      functions.hasResourceProperties('AWS::Lambda::Function', { FunctionName });
      functions.hasResourceProperties('AWS::Lambda::Alias', { Name });
    }
    const queues = [ReportsQueue, BackfillsQueue, AlertsQueue].map(
      (value) => referredBy(functions, value).Properties['QueueName'],
    );
    expect(queues).toEqual(['daybook-prod-reports', 'daybook-prod-backfills', 'daybook-prod-alerts']);
  });

  it('name every schedule with its group', () => {
    const schedules = template('Schedules');
    const { ScheduleGroup, Schedules, ...others } = outputsOf(schedules);
    expect(ScheduleGroup).toBe('daybook-prod');
    schedules.hasResourceProperties('AWS::Scheduler::ScheduleGroup', { Name: ScheduleGroup });
    schedules.allResourcesProperties('AWS::Scheduler::Schedule', { GroupName: ScheduleGroup });
    const [comma, names] = z
      .strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.strictObject({ Ref: z.string() }))]) })
      .parse(Schedules)['Fn::Join'];
    expect(comma).toBe(',');
    expect(names.map(({ Ref }) => Ref).toSorted()).toEqual(
      Object.keys(schedules.findResources('AWS::Scheduler::Schedule')).toSorted(),
    );
    expect(others).toEqual({});
  });

  it('leave out what a stage does not set', async () => {
    const bare = await synthesise('prod', (changed) => {
      changed.ops.recipients = [];
      delete changed.credentials.prefix;
    });
    expect(outputsOf(bare.template('Mail'))).not.toHaveProperty('OpsRecipients');
    expect(outputsOf(bare.template('Functions'))).not.toHaveProperty('CredentialsSecretPrefix');
  }, 180_000);

  it('list all values, with commas between them', async () => {
    const more = await synthesise('prod', (changed) => {
      changed.ops.recipients = ['a@example.com', 'b@example.com'];
      changed.service.origins = ['https://one.example.com', 'https://two.example.com'];
    });
    expect(outputsOf(more.template('Mail'))['OpsRecipients']).toBe('a@example.com,b@example.com');
    expect(outputsOf(more.template('Functions'))['ServiceOrigins']).toBe(
      'https://one.example.com,https://two.example.com',
    );
  });
});
