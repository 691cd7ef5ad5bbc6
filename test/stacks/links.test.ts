import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import type { HttpApi } from '#support/page/http-api.ts';
import { linkVariables, linksIn, seedLinkedDay } from '#support/page/linked-day.ts';
import { serveLinks } from '#support/page/http-api.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { statementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { DaybookWorld } from '#support/world/daybook-world.ts';

const off = await synthesise('prod');
const on = await synthesise('prod', (settings) => {
  settings.links = true;
});
const functions = on.template('Functions');
const rights = (name: string) => statementsOf(functions, name);

const templateSchema = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

/** How many resources of each type the stage has more with links. */
function more(name: string): Record<string, number> {
  const typesOf = (stage: typeof on) =>
    Object.groupBy(
      Object.values(templateSchema.parse(stage.template(name).toJSON()).Resources),
      ({ Type }) => Type,
    );
  const before = typesOf(off);
  const entries = Object.entries(typesOf(on)).map(
    ([type, all = []]) => [type, all.length - (before[type]?.length ?? 0)] as const,
  );
  return Object.fromEntries(entries.filter(([, difference]) => difference !== 0));
}

describe('links', () => {
  it('are an API, a key and a function where the stage wants them, and nothing elsewhere', () => {
    expect(more('Functions')).toMatchInlineSnapshot(`
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
    const others = Object.keys(on.templates).filter((name) => !['Functions', 'Console'].includes(name));
    expect(others.map(more)).toEqual(others.map(() => ({})));
    expect(more('Console')).toEqual({ 'AWS::EventSchemas::Schema': 1 });
    const days =
      /"ExpirationInDays":400,"Id":"links\/ and its old versions","NoncurrentVersionExpiration":\{"NoncurrentDays":1\}/;
    expect(JSON.stringify(on.template('Data').toJSON())).toMatch(days);
    expect(JSON.stringify(on.template('Access').toJSON())).toContain(':function:daybook-prod-link:live');
  });

  it('have an API that limits requests, and logs neither paths nor addresses', () => {
    const [stage] = Object.values(
      propertiesOf(
        functions,
        'AWS::ApiGatewayV2::Stage',
        z.object({
          AccessLogSettings: z.object({ Format: z.string() }),
          DefaultRouteSettings: z.object({
            ThrottlingRateLimit: z.number(),
            ThrottlingBurstLimit: z.number(),
          }),
        }),
      ),
    );
    expect(stage?.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 100 });
    expect(
      Object.values(
        z.record(z.string(), z.string()).parse(JSON.parse(stage?.AccessLogSettings.Format ?? '')),
      ),
    ).toEqual([
      '$context.requestId',
      '$context.requestTime',
      '$context.routeKey',
      '$context.status',
      '$context.responseLatency',
      '$context.responseLength',
    ]);
  });
});

describe('the rights of link', () => {
  let world: DaybookWorld;
  let api: HttpApi;
  beforeAll(async () => {
    api = await serveLinks();
    world = await DaybookWorld.start({ environment: linkVariables(api.url), defaults: { attachCsv: true } });
    seedLinkedDay(world);
    await world.putEmptyHistories();
    await world.report();
  });
  afterAll(() => Promise.all([world.close(), api.close()]));

  it('are the recorded statements', async () => {
    await expect(`${rights('link').join('\n')}\n`).toMatchFileSnapshot('rights/link.txt');
  });

  it('allow each call that it makes, and no object that it does not use', async () => {
    const [link = ''] = linksIn((await world.lastMail('report')).html, api.url);
    const before = world.aws.requests.length;
    for (const method of ['GET', 'HEAD', 'POST']) await fetch(link, { method, redirect: 'manual' });
    const asked = world.aws.requests.slice(before);
    const calls = asked.flatMap(({ service, operation, key = '' }) =>
      service === 's3' ? [`s3:${operation.replace('Head', 'Get')}: data/${key}`] : [],
    );
    const allowed = rights('link').filter((line) => /^s3:(Get|Put|Delete)/.test(line));
    const allows = (line: string, call: string) =>
      line.endsWith('*') ? call.startsWith(line.slice(0, -1)) : call === line;
    expect(calls.filter((call) => !allowed.some((line) => allows(line, call)))).toEqual([]);
    expect(allowed.filter((line) => !calls.some((call) => allows(line, call)))).toEqual([]);
    expect([...new Set(asked.map(({ service }) => service))].sort()).toEqual(['s3', 'sts']);
  });

  it('and of those who mail pages are all that reach the key and the files of links', () => {
    const names = [...Object.keys(FUNCTIONS), 'link'];
    const having = (pattern: RegExp) =>
      names.filter((name) => rights(name).some((line) => pattern.test(line)));
    expect(having(/GetSecretValue: <Links/)).toEqual(['daily-report', 'statement', 'link']);
    expect(having(/^s3:PutObject: data\/links/)).toEqual(['daily-report', 'statement']);
    expect(having(/^s3:GetObject: data\/links/)).toEqual(['link']);
    expect(having(/AssumeRole/)).toEqual(['link']);
  });
});
