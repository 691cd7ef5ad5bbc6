import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as ses from 'aws-cdk-lib/aws-ses';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { SETTINGS_FILE, lakeSettingsSchema } from '#lake/lake-settings.ts';
import { keyAlias } from '#page/prove/proof.ts';
import { variablesOf } from '#registry/environment.ts';
import { acknowledge } from './checks.ts';
import { DaybookFunction } from './constructs/daybook-function.ts';
import { HttpApi } from './constructs/http-api.ts';
import { heldByConsumers, removalOf } from './removal.ts';
import { allow, grantObjects, grantSecrets, grantSending } from './constructs/rights.ts';
import type { AlarmDestination } from './constructs/runbook-alarm.ts';
import { StackOutputs, type StackOutput } from './constructs/stack-outputs.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import {
  ANNOUNCED_STARTS,
  FUNCTIONS,
  LINKED_FILES,
  LINK_FILES,
  LIVE,
  NOTICES,
  OPTIONAL_FUNCTIONS,
  QUEUES,
  QUEUE_NAMES,
  REGISTRY_KEY,
  concurrencyOutput,
  functionOutput,
  queueOutput,
  type AnyFunctionName,
  type FunctionDefinition,
  type FunctionName,
  type OptionalFunctionName,
  type QueueName,
} from './functions.ts';
import type { Settings } from './settings.ts';

export interface FunctionsStackProps extends StackProps {
  settings: Settings;
  built: string;
  key: kms.IKey;
  bucket: s3.IBucket;
  identity: ses.IEmailIdentity;
  configurationSet: ses.IConfigurationSet;
  alarms: AlarmDestination;
}

/** The functions whose mails go to merchants. Mails to ops show no brand. */
const MAILS_MERCHANTS: ReadonlySet<string> = new Set(['daily-report', 'statement', 'alert-check']);

const MAIL_EVENTS = [
  'Email Sent',
  'Email Delivered',
  'Email Delivery Delayed',
  'Email Bounced',
  'Email Complaint Received',
  'Email Rejected',
  'Email Rendering Failed',
];

/** Daybook's functions with their rights, the queues between them, and the rules that call `mail-events` and `announce`. */
export class FunctionsStack extends Stack {
  readonly functions: Record<FunctionName, DaybookFunction>;
  /** Those that the settings of the stage ask for. */
  readonly optional: Partial<Record<OptionalFunctionName, DaybookFunction>> = {};
  readonly queues: Record<QueueName, WorkQueue>;
  /** Events that failed at every attempt. Those of SES have addresses, so they are kept over a long weekend and no longer. */
  readonly deadLetters: sqs.Queue;
  readonly #props: FunctionsStackProps;

  constructor(scope: Construct, id: string, props: FunctionsStackProps) {
    super(scope, id, props);
    this.#props = props;
    const { settings } = props;
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      retentionPeriod: Duration.days(4),
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    heldByConsumers(this.deadLetters);
    acknowledge(this.deadLetters, 'AwsSolutions-SQS3', 'It is the dead-letter queue.');

    this.functions = {
      plan: this.#create('plan'),
      'daily-report': this.#create('daily-report'),
      statement: this.#create('statement'),
      'alert-check': this.#create('alert-check'),
      'delivery-watch': this.#create('delivery-watch'),
      'mail-events': this.#create('mail-events'),
      sweep: this.#create('sweep'),
      lake: this.#create('lake'),
    };
    heldByConsumers(this.functions.lake.role);
    if (settings.events !== undefined) this.#createAnnounce();
    if (settings.proofs) this.#createProve();
    this.queues = {
      reports: this.#createQueue('reports'),
      backfills: this.#createQueue('backfills'),
      alerts: this.#createQueue('alerts'),
    };
    this.#listenToMail();
    this.#giveOutputs(settings.links || settings.unsubscribe ? this.#openDoors() : undefined);
  }

  #createQueue(name: QueueName): WorkQueue {
    const { settings, alarms } = this.#props;
    const { plan } = this.functions;
    const created = new WorkQueue(this, `${name} queue`, {
      name,
      worker: this.functions[QUEUES[name].worker],
      sender: plan,
      maxConcurrency: settings.concurrency[name],
      alarms,
    });
    plan.function.addEnvironment(`QUEUES_${name.toUpperCase()}`, created.queue.queueUrl);
    return created;
  }

  /** The HTTP API of the links in mails. Who sends such mails is told what links begin with, and may sign them. */
  #openDoors(): HttpApi {
    const { settings, key, alarms } = this.#props;
    const api = new HttpApi(this, settings, key, alarms);
    const starts = {
      ...(settings.links && { files: api.serve('/d/', this.#createLink()) }),
      ...(settings.unsubscribe && { stops: api.serve('/u/', this.#createOptional('unsubscribe')) }),
    };
    const { 'daily-report': report, statement, 'alert-check': alerts } = this.functions;
    for (const mailer of [report, statement, ...(settings.unsubscribe ? [alerts] : [])])
      api.giveKey(mailer, starts);
    return api;
  }

  /** A session of its role is narrowed to one file, so a signed address can do no more than give out that file. */
  #createLink(): DaybookFunction {
    const { bucket, key, settings } = this.#props;
    const link = this.#createOptional('link');
    const role = new iam.Role(this, 'LinkedFiles', {
      assumedBy: new iam.ArnPrincipal(link.role.roleArn),
      description: `The files that mails of the stage ${settings.stage} link`,
    });
    const resources = [bucket.arnForObjects(LINKED_FILES)];
    allow(role, { sid: 'ReadLinkedFiles', actions: ['s3:GetObject'], resources });
    allow(role, { sid: 'DecryptThem', actions: ['kms:Decrypt'], resources: [key.keyArn] });
    role.grantAssumeRole(link.role);
    link.function.addEnvironment('LINKS_ROLE', role.roleArn);
    return link;
  }

  /** S3 tells EventBridge of every object of the bucket; these are those that say something. */
  #createAnnounce(): void {
    const { bucket } = this.#props;
    const announce = this.#createOptional('announce');
    allow(announce.role, {
      sid: 'TellOtherSystems',
      actions: ['events:PutEvents'],
      resources: [this.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' })],
    });
    this.#callOn('Objects', announce, {
      description: 'What Daybook writes and other systems are told',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: ANNOUNCED_STARTS.map((prefix) => ({ prefix })) },
        },
      },
    });
  }

  /** Calls the function with such events. EventBridge tries for a day. */
  #callOn(id: string, { live }: DaybookFunction, rule: events.RuleProps): void {
    const tried = { deadLetterQueue: this.deadLetters, retryAttempts: 185, maxEventAge: Duration.hours(24) };
    new events.Rule(this, id, { ...rule, targets: [new targets.LambdaFunction(live, tried)] });
  }

  /** Nobody else may sign with the key. */
  #createProve(): void {
    const { settings } = this.#props;
    const { keyArn } = new kms.Key(this, 'SigningKey', {
      description: `Daybook ${settings.stage}: signs the proofs of sealed pages`,
      keySpec: kms.KeySpec.ECC_NIST_P256,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      alias: keyAlias(settings.stage),
      removalPolicy: removalOf(settings),
    });
    const actions = ['kms:GetPublicKey', 'kms:Sign'];
    allow(this.#createOptional('prove').role, { sid: 'SignProofs', actions, resources: [keyArn] });
  }

  #createOptional(name: OptionalFunctionName): DaybookFunction {
    const created = this.#create(name);
    this.optional[name] = created;
    return created;
  }

  /** With the rights of its definition. What the statements of `lake` need is granted by the stack that has the tables. */
  #create(name: AnyFunctionName): DaybookFunction {
    const definition: FunctionDefinition = { ...FUNCTIONS, ...OPTIONAL_FUNCTIONS }[name];
    const { settings, built, alarms, bucket, key, identity, configurationSet } = this.#props;
    const created = new DaybookFunction(this, name, {
      name,
      definition,
      built,
      ...(name === 'lake' && { files: { [SETTINGS_FILE]: this.#lakeSettings() } }),
      environment: this.#environment(name),
      log: { retention: settings.retention.logDays, removalPolicy: removalOf(settings) },
      alarms,
      deadLetters: this.deadLetters,
    });
    const { upload = [], ...objects } = definition.objects;
    const linked = settings.links && LINK_FILES.has(name) ? [LINKED_FILES] : [];
    grantObjects(created.role, bucket, key, { ...objects, upload: [...upload, ...linked] });
    // Who keeps records of notices sends them, by mail and through the topic, which is encrypted with the data's key.
    if (objects.write.includes(NOTICES)) {
      grantSending(created.role, identity, configurationSet, settings.mail);
      allow(created.role, { sid: 'TellOps', actions: ['sns:Publish'], resources: [alarms.topic.topicArn] });
    }
    if (definition.credentials === true) grantSecrets(created.role, this, settings.credentials);
    return created;
  }

  /** What the functions are told: settings by their own names, and what the stacks make. */
  #environment(code: AnyFunctionName): Record<string, string> {
    const { settings, bucket, configurationSet, alarms } = this.#props;
    return variablesOf({
      ...settings,
      branding: MAILS_MERCHANTS.has(code) ? settings.branding : {},
      data: { bucket: bucket.bucketName },
      ops: { ...settings.ops, topicArn: alarms.topic.topicArn },
      ses: { configurationSet: configurationSet.configurationSetName },
      registry: { key: REGISTRY_KEY },
      log: { level: 'INFO' },
    });
  }

  #lakeSettings(): string {
    const { lake, retention, schedules } = this.#props.settings;
    const settings = { ...schedules, ...lake.schedules, retention, groups: lake.groups };
    return JSON.stringify(lakeSettingsSchema.parse(settings));
  }

  #giveOutputs(links: HttpApi | undefined): void {
    const { credentials, service, concurrency } = this.#props.settings;
    const named: Record<string, StackOutput> = {};
    for (const { name, functionName } of [
      ...Object.values(this.functions),
      ...Object.values(this.optional),
    ]) {
      const description = `The function ${name}, as schedules call it`;
      named[functionOutput(name)] = { value: `${functionName}:${LIVE}`, description };
    }
    for (const name of QUEUE_NAMES) {
      const value = this.queues[name].queue.queueUrl;
      named[queueOutput(name)] = { value, description: `The queue ${name}: ${QUEUES[name].description}` };
      const description = `Batches of the queue ${name} at the same time`;
      named[concurrencyOutput(name)] = { value: concurrency[name].toString(), description };
    }
    new StackOutputs(this, {
      RegistryKey: { value: REGISTRY_KEY, description: 'The key of the registry in the bucket' },
      CredentialsSecret: {
        value: credentials.secret,
        description: 'The secret of merchants without a secretId of their own',
      },
      CredentialsSecretPrefix: {
        value: credentials.prefix,
        description: 'What every secretId of the registry begins with',
      },
      ServiceOrigins: {
        value: service.origins.join(','),
        description: 'The only origins that credentials may be sent to, with commas between them',
      },
      LinksKey: {
        value: links?.secret.secretArn,
        description: 'The secret with the key that signs the links in mails',
      },
      ...named,
    });
  }

  #listenToMail(): void {
    const { configurationSet } = this.#props;
    const tags = { 'ses:configuration-set': [configurationSet.configurationSetName] };
    this.#callOn('MailEvents', this.functions['mail-events'], {
      description: 'What becomes of the mails that Daybook sends',
      eventPattern: { source: ['aws.ses'], detailType: MAIL_EVENTS, detail: { mail: { tags } } },
    });
  }
}
