import { Match } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { rightsOfPolicy } from '#lib/command-rights.ts';
import { FUNCTION_NAMES } from '#lib/functions.ts';
import type { Settings } from '#lib/settings.ts';
import { addressHash } from '#records/storage/keys.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import type { RecordedRequest } from '#sandbox/aws/index.ts';
import {
  linksIn,
  linkVariables,
  seedLinkedDay,
  serveLinks,
  serveStops,
  stopLinkIn,
} from '#support/doors/doors.ts';
import { propertiesOf, synthesise } from '#support/stacks/synthesised.ts';
import { managedStatementsOf, statementsOf } from '#support/stacks/statements.ts';
import { CODE, DAY, DaybookWorld, OPS_TOPIC } from '#support/world/daybook-world.ts';

/*
 * What a stage has only with one of its settings on: links, unsubscribing and proofs. The snapshots of templates are without them.
 */

const having = (setting: 'links' | 'unsubscribe' | 'proofs', stage = 'prod') =>
  synthesise(stage, (settings: Settings) => (settings[setting] = true));
const off = await synthesise('prod');
const [links, stops] = [await having('links'), await having('unsubscribe')];
const [proofs, proofsOfDev] = [await having('proofs'), await having('proofs', 'dev')];
const stages = { links, unsubscribe: stops, proofs };

it.each([
  ['links', ['Access', 'Console', 'Data', 'Functions']],
  ['unsubscribe', ['Access', 'Console', 'Data', 'Functions']],
  ['proofs', ['Access', 'Console', 'Data', 'Functions', 'Monitoring', 'Schedules']],
] as const)('%s change these stacks, and no others', (setting, stacks) => {
  const text = (stage: typeof off, name: string) => JSON.stringify(stage.templates[name]?.toJSON());
  const all = Object.keys(stages[setting].templates);
  expect(all.filter((name) => text(off, name) !== text(stages[setting], name)).toSorted()).toEqual(stacks);
});

const typesSchema = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

it('links are an API, a key and a function', () => {
  const typesIn = ({ template }: typeof off) =>
    Map.groupBy(
      Object.values(typesSchema.parse(template('Functions').toJSON()).Resources),
      ({ Type }) => Type,
    );
  const before = typesIn(off);
  const more = [...typesIn(links)]
    .map(([type, all]) => [type, all.length - (before.get(type)?.length ?? 0)] as const)
    .filter(([, difference]) => difference !== 0);
  expect(Object.fromEntries(more)).toMatchInlineSnapshot(`
    {
      "AWS::ApiGatewayV2::Api": 1,
      "AWS::ApiGatewayV2::Integration": 1,
      "AWS::ApiGatewayV2::Route": 3,
      "AWS::ApiGatewayV2::Stage": 1,
      "AWS::CloudWatch::Alarm": 4,
      "AWS::IAM::Policy": 2,
      "AWS::IAM::Role": 2,
      "AWS::Lambda::Alias": 1,
      "AWS::Lambda::Function": 1,
      "AWS::Lambda::Permission": 3,
      "AWS::Lambda::Version": 1,
      "AWS::Logs::LogGroup": 2,
      "AWS::SecretsManager::Secret": 1,
    }
  `);
  const days =
    /"ExpirationInDays":400,"Id":"links\/ and its old versions","NoncurrentVersionExpiration":\{"NoncurrentDays":1\}/;
  expect(JSON.stringify(links.template('Data').toJSON())).toMatch(days);
  expect(JSON.stringify(links.template('Access').toJSON())).toContain(':function:daybook-prod-link:live');
});

it('the API limits requests, and logs neither paths nor addresses', () => {
  const stageSchema = z.object({
    AccessLogSettings: z.object({
      Format: z.string().transform((text): unknown => JSON.parse(text)),
    }),
    DefaultRouteSettings: z.looseObject({}),
  });
  const [stage] = Object.values(
    propertiesOf(links.template('Functions'), 'AWS::ApiGatewayV2::Stage', stageSchema),
  );
  expect(stage?.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 100 });
  expect(Object.values(z.looseObject({}).parse(stage?.AccessLogSettings.Format))).toEqual([
    '$context.requestId',
    '$context.requestTime',
    '$context.routeKey',
    '$context.status',
    '$context.responseLatency',
    '$context.responseLength',
  ]);
});

/** A function with these rights makes no other calls of S3, and needs all of them but those that are like `unseen`. */
function expectRights(rights: readonly string[], requests: readonly RecordedRequest[], unseen = /^$/): void {
  const calls = requests.flatMap(({ service, operation, key = '' }) =>
    service === 's3' ? [`s3:${operation.replace('Head', 'Get')}: data/${key}`] : [],
  );
  const allowed = rights.filter((line) => /^s3:(Get|Put|Delete)/.test(line));
  const allows = (line: string, call: string) =>
    line.endsWith('*') ? call.startsWith(line.slice(0, -1)) : call === line;
  expect(calls.filter((call) => !allowed.some((line) => allows(line, call)))).toEqual([]);
  const idle = allowed.filter((line) => !calls.some((call) => allows(line, call)));
  expect(idle.filter((line) => !unseen.test(line))).toEqual([]);
}

const servicesIn = (requests: readonly RecordedRequest[]) =>
  [...new Set(requests.map(({ service }) => service))].sort();

describe('the rights of link', () => {
  const rights = (name: string) => statementsOf(links.template('Functions'), name);

  it('are the recorded statements, allow each call that it makes, and no object that it does not use', async () => {
    await expect(`${rights('link').join('\n')}\n`).toMatchFileSnapshot('rights/link.txt');
    const api = await serveLinks();
    const world = await DaybookWorld.ofTest({
      environment: linkVariables(api.url),
      defaults: { attachCsv: true },
    });
    seedLinkedDay(world);
    await world.report();
    const [link = ''] = linksIn((await world.lastMail('report')).html, api.url);
    const before = world.aws.requests.length;
    for (const method of ['GET', 'HEAD', 'POST']) await fetch(link, { method, redirect: 'manual' });
    const asked = world.aws.requests.slice(before);
    expectRights(rights('link'), asked);
    expect(servicesIn(asked)).toEqual(['s3', 'sts']);
    await api.close();
    // The files are too large for a mail.
  }, 120_000);

  it('and of those who mail pages are all that reach the key and the files of links', () => {
    const reaching = (pattern: RegExp) =>
      [...FUNCTION_NAMES, 'link'].filter((name) => rights(name).some((line) => pattern.test(line)));
    expect(reaching(/GetSecretValue: <Links/)).toEqual(['daily-report', 'statement', 'link']);
    expect(reaching(/^s3:PutObject: data\/links/)).toEqual(['daily-report', 'statement']);
    expect(reaching(/^s3:GetObject: data\/links/)).toEqual(['link']);
    expect(reaching(/AssumeRole/)).toEqual(['link']);
  });
});

describe('the rights of unsubscribe', () => {
  const rightsOf = (name: string) => statementsOf(stops.template('Functions'), name);
  const rights = rightsOf('unsubscribe');

  it('are the recorded statements, allow each call that it makes, and no object that it does not use', async () => {
    await expect(`${rights.join('\n')}\n`).toMatchFileSnapshot('rights/unsubscribe.txt');
    const world = await DaybookWorld.ofTest({ environment: OPS_TOPIC });
    const api = await serveStops(world);
    world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 1 });
    await world.report();
    const link = await stopLinkIn(world, 'report');
    const before = world.aws.requests.length;
    expect((await fetch(link)).status).toBe(200);
    for (const body of ['List-Unsubscribe=One-Click', 'do=undo'])
      expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
    await fetch(`${api}/u/x`);
    const asked = world.aws.requests.slice(before);
    // The last good registry serves when the registry cannot. Groups have their own keys.
    expectRights(rights, asked, /last-good|group=/);
    expect(servicesIn(asked)).toEqual(['s3', 'ses', 'sns']);
  });

  it('reach no stop of all mail to an address', () => {
    const whole = `data/mail-stops/${addressHash('a@merchants.example')}.json`;
    const own = `data/${stopKey({ hash: '0', of: { owner: { group: 'shops' }, mails: 'pages' } })}`;
    const touched = (key: string) =>
      rights.filter((line) => line.endsWith('*') && key.startsWith(line.slice(line.indexOf(': ') + 2, -1)));
    expect(touched(own).length).toBeGreaterThan(2);
    expect(touched(whole)).toEqual([]);
  });

  it('and of those who mail merchants are all that may read the key of links', () => {
    const readers = [...FUNCTION_NAMES, 'unsubscribe'].filter((name) =>
      rightsOf(name).some((line) => /GetSecretValue: <Links/.test(line)),
    );
    expect(readers).toEqual(['daily-report', 'statement', 'alert-check', 'unsubscribe']);
  });
});

describe('a stage with proofs', () => {
  const functions = proofs.template('Functions');

  it('has one key that only signs, and keeps it as the stage keeps its data', () => {
    const key = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
    functions.hasResource('AWS::KMS::Key', { Properties: key, DeletionPolicy: 'RetainExceptOnCreate' });
    proofsOfDev.template('Functions').hasResource('AWS::KMS::Key', {
      Properties: key,
      DeletionPolicy: 'Delete',
    });
    functions.hasResourceProperties('AWS::KMS::Alias', { AliasName: 'alias/daybook-prod-proofs' });
    functions.resourceCountIs('AWS::KMS::Key', 1);
    off.template('Functions').resourceCountIs('AWS::KMS::Key', 0);
  });

  it('calls the function each night, after the first quarter of an hour (UTC)', () => {
    proofs.template('Schedules').hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(30 0 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      Target: Match.objectLike({ DeadLetterConfig: Match.anyValue(), Input: '{}' }),
    });
  });

  it('gives the function the recorded rights, and nobody else the right to sign', async () => {
    await expect(`${statementsOf(functions, 'prove').join('\n')}\n`).toMatchFileSnapshot('rights/prove.txt');
    const signers = Object.entries(proofs.templates).flatMap(([name, template]) =>
      [...JSON.stringify(template.toJSON()).matchAll(/"kms:Sign"/g)].map(() => name),
    );
    expect(signers).toEqual(['Functions']);
  });

  it('lets nobody read customers’ data but who has the policy for it', async () => {
    const access = proofs.template('Access');
    const statements = managedStatementsOf(access, 'Verify');
    await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot('rights/people/Verify.txt');
    for (const policy of ['Operators', 'ReadOnly', 'Forget'] as const)
      expect(managedStatementsOf(access, policy).filter((one) => !one.endsWith('-prove:live'))).toEqual(
        managedStatementsOf(off.template('Access'), policy),
      );
    const known = /^(s3:(Get|List)|kms:Decrypt|cloudformation:Desc)/;
    expect(rightsOfPolicy('Verify').filter(({ action }) => !known.test(action))).toEqual([]);
  });
});
