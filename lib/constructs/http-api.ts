import { Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../checks.ts';
import { variablesOf, type Environment } from '#registry/environment.ts';
import { heldByConsumers, removalOf } from '../removal.ts';
import type { Settings } from '../settings.ts';
import type { DaybookFunction } from './daybook-function.ts';
import { allow } from './rights.ts';
import { RunbookAlarm, type AlarmDestination } from './runbook-alarm.ts';

/** What is logged of a request: no path, which has the token, no address and no browser. */
const LOGGED = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  length: '$context.responseLength',
};

/** What anybody on the internet can call: the HTTP API of the links in mails, and the key that signs these links. */
export class HttpApi extends Construct {
  readonly secret: secretsmanager.Secret;
  readonly #api: apigateway.HttpApi;

  constructor(scope: Construct, settings: Settings, key: kms.IKey, alarms: AlarmDestination) {
    super(scope, 'Links');
    const { stage } = settings;
    const removalPolicy = removalOf(settings);
    this.secret = new secretsmanager.Secret(this, 'Key', {
      description: `Daybook ${stage}: the key that signs the links in mails`,
      encryptionKey: key,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
    heldByConsumers(this.secret);
    const why =
      'A key that changed by itself would end the links of mails. Operators change it (docs/links.md).';
    acknowledge(this.secret, 'AwsSolutions-SMG4', why);

    this.#api = new apigateway.HttpApi(this, 'Api', {
      apiName: `daybook-${stage}`,
      description: `Daybook ${stage}: the links in mails`,
      createDefaultStage: false,
    });
    const log = new logs.LogGroup(this, 'AccessLog', {
      logGroupName: `/aws/apigateway/daybook-${stage}`,
      retention: settings.retention.logDays,
      removalPolicy,
    });
    new apigateway.HttpStage(this, 'Stage', {
      httpApi: this.#api,
      stageName: '$default',
      autoDeploy: true,
      // A second, of each route. A morning's readers need far fewer (docs/links.md).
      throttle: { rateLimit: 20, burstLimit: 100 },
      accessLogSettings: {
        destination: new apigateway.LogGroupLogDestination(log),
        format: AccessLogFormat.custom(JSON.stringify(LOGGED)),
      },
    });
    new RunbookAlarm(this, 'Failing', {
      destination: alarms,
      name: 'links-failing',
      metric: this.#api.metricServerError(),
      impact:
        'A link in a mail answered with an error: a reader did not get a file, or could not stop mails.',
      heading: 'A link in a mail fails',
    });
    new RunbookAlarm(this, 'Flooded', {
      destination: alarms,
      name: 'links-flooded',
      metric: this.#api.metricCount(),
      // Requests in five minutes that no readers make.
      threshold: 3_000,
      impact:
        'Far more requests for links than readers make. They cost money, and readers may be turned away.',
      heading: 'Links get a flood of requests',
    });
  }

  /** Sends on what comes under a path such as `/d/`, with a token behind it. Returns how such addresses begin. */
  serve(path: string, reader: DaybookFunction): string {
    const { GET, HEAD, POST } = apigateway.HttpMethod;
    const routes = this.#api.addRoutes({
      path: `${path}{token}`,
      methods: [GET, HEAD, POST],
      integration: new HttpLambdaIntegration(reader.name, reader.live),
    });
    const why = 'The token in the path is what authorizes: readers have no account.';
    for (const route of routes) acknowledge(route, 'AwsSolutions-APIG4', why);
    this.giveKey(reader);
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.#api.apiId}.execute-api.${region}.${urlSuffix}${path}`;
  }

  /** Lets a function read the key, its present and its previous version, and tells it how the links that it makes begin. */
  giveKey({ role, function: reader }: DaybookFunction, starts: Partial<Environment['links']> = {}): void {
    const { secretArn } = this.secret;
    // It is encrypted with the data's key, which every function may use.
    const actions = ['secretsmanager:GetSecretValue'];
    allow(role, { sid: 'ReadTheKeyOfLinks', actions, resources: [secretArn] });
    const variables = variablesOf({ links: { ...starts, secret: secretArn } });
    for (const [name, value] of Object.entries(variables)) reader.addEnvironment(name, value);
  }
}
