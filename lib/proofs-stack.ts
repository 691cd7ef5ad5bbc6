import { Duration, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as targets from 'aws-cdk-lib/aws-scheduler-targets';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { keyAlias } from '#proofs/proof.ts';
import { variablesOf } from '#registry/environment.ts';
import { DaybookFunction } from './constructs/daybook-function.ts';
import { grantObjects } from './constructs/rights.ts';
import { HEARTBEAT, RunbookAlarm, ownMetric } from './constructs/runbook-alarm.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { Tick, tickGroup } from './constructs/tick.ts';
import { LIVE, OPTIONAL_FUNCTIONS, REGISTRY_KEY, functionOutput } from './functions.ts';
import { removalOf } from './removal.ts';
import type { Settings } from './settings.ts';

interface ProofsStackProps extends StackProps {
  settings: Settings;
  built: string;
  key: kms.IKey;
  bucket: s3.IBucket;
  topic: sns.ITopic;
  deadLetters: sqs.IQueue;
}

/** After the last run of the date before, and before the mornings of the merchants (UTC). */
const AT_NIGHT = 'cron(30 0 * * ? *)';
/** A night, and the time that its run may take. Hours. */
const SILENCE = 26;

/** The function `prove`, the key that signs, its schedule and its alarm. A stage has it when `proofs` is on. */
export class ProofsStack extends Stack {
  readonly function: DaybookFunction;

  constructor(scope: Construct, id: string, { settings, built, ...props }: ProofsStackProps) {
    super(scope, id, props);
    const { bucket, key, topic, deadLetters } = props;
    const { stage, ops, retention } = settings;
    const alarms = { topic, runbook: ops.runbook, stage };
    const signingKey = new kms.Key(this, 'SigningKey', {
      description: `Daybook ${stage}: signs the proofs of sealed pages`,
      keySpec: kms.KeySpec.ECC_NIST_P256,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      alias: keyAlias(stage),
      removalPolicy: removalOf(settings),
    });
    const { description, memory, timeoutMinutes, objects } = OPTIONAL_FUNCTIONS.prove;
    this.function = new DaybookFunction(this, 'prove', {
      name: 'prove',
      built,
      description,
      memory,
      timeout: Duration.minutes(timeoutMinutes),
      environment: variablesOf({
        ...settings,
        branding: {},
        data: { bucket: bucket.bucketName },
        registry: { key: REGISTRY_KEY },
        log: { level: 'INFO' },
      }),
      log: { retention: retention.logDays, removalPolicy: removalOf(settings) },
      alarms,
      deadLetters,
    });
    const { role, live, functionName } = this.function;
    grantObjects(role, bucket, key, objects);
    role.addToPolicy(
      new iam.PolicyStatement({
        sid: 'SignProofs',
        actions: ['kms:GetPublicKey', 'kms:Sign'],
        resources: [signingKey.keyArn],
      }),
    );
    new Tick(this, 'ProofTick', {
      description: 'Signs for the pages that were sealed since the night before',
      group: tickGroup(this, `daybook-${stage}-proofs`),
      expression: AT_NIGHT,
      timeZone: 'Etc/UTC',
      event: {},
      deadLetters,
      target: (target) => new targets.LambdaInvoke(live, target),
    });
    new RunbookAlarm(this, 'prove-did-not-run', {
      destination: alarms,
      name: 'prove-did-not-run',
      metric: ownMetric(stage, 'prove', 'ProofMade', Duration.hours(1)),
      threshold: HEARTBEAT,
      periods: SILENCE,
      impact: `No proof was made for ${SILENCE} hours. The next one has the pages of both nights, but says so a night later.`,
      heading: 'A proof is missing',
    });
    new StackOutputs(this, {
      [functionOutput('prove')]: {
        value: `${functionName}:${LIVE}`,
        description: 'The function prove, as its schedule calls it',
      },
      SigningKey: { value: signingKey.keyArn, description: 'The key that signs the proofs' },
    });
  }
}
