import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { synthesise } from '#support/stacks/synthesised.ts';

const off = await synthesise('prod');
const on = await synthesise('prod', (settings) => {
  settings.links = true;
});

const templateSchema = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

/** How many resources of each type one stage has more than the other. */
function more(name: string): Record<string, number> {
  const count = (stage: typeof on) => {
    const { Resources } = templateSchema.parse(stage.template(name).toJSON());
    const types = Object.values(Resources).map(({ Type }) => Type);
    return Object.groupBy(types, String);
  };
  const [before, after] = [count(off), count(on)];
  const entries = Object.entries(after).map(
    ([type, all = []]) => [type, all.length - (before[type]?.length ?? 0)] as const,
  );
  return Object.fromEntries(entries.filter(([, difference]) => difference !== 0));
}

describe('links', () => {
  it('are an API, a key and a function where the stage wants them', () => {
    expect(more('Functions')).toMatchInlineSnapshot(`
      {
        "AWS::ApiGatewayV2::Api": 1,
        "AWS::ApiGatewayV2::Integration": 1,
        "AWS::ApiGatewayV2::Route": 3,
        "AWS::ApiGatewayV2::Stage": 1,
        "AWS::CloudWatch::Alarm": 4,
        "AWS::IAM::Policy": 1,
        "AWS::IAM::Role": 1,
        "AWS::Lambda::Alias": 1,
        "AWS::Lambda::Function": 1,
        "AWS::Lambda::Permission": 3,
        "AWS::Lambda::Version": 1,
        "AWS::Logs::LogGroup": 2,
        "AWS::SecretsManager::Secret": 1,
      }
    `);
  });
});
