import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/defined.ts';
import * as z from 'zod';

const guideOf = (name: string) => readFileSync(resolve(import.meta.dirname, `../../docs/${name}.md`), 'utf8');
const deployGuide = guideOf('deploy');
const guide = [deployGuide, ...['runbook', 'operations', 'fan-out'].map(guideOf)].join('\n');
const { templates, template } = await synthesise('prod');

const resourcesSchema = z.object({
  Resources: z.record(z.string(), z.object({ Properties: z.record(z.string(), z.unknown()).optional() })),
});

const typesSchema = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

const logGroupSchema = z.object({ Properties: z.object({ LogGroupName: z.string() }) });

/** The names of all resources that people use. */
const names = new Set(
  Object.values(templates).flatMap((each) =>
    Object.values(resourcesSchema.parse(each.toJSON()).Resources)
      .flatMap(({ Properties = {} }) => [
        Properties['FunctionName'],
        Properties['StateMachineName'],
        Properties['Name'],
        Properties['DashboardName'],
      ])
      .filter((name) => typeof name === 'string'),
  ),
);

describe('the guides', () => {
  it('use the names of the deployed stacks, functions and other resources', () => {
    const named = [...guide.matchAll(/\bdaybook-prod(?:-[a-z]+)*/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([]);
    const stacks = [...guide.matchAll(/\bDaybook-prod-(\w+)/g)].map(([, stack = '']) => stack);
    expect(stacks.length).toBeGreaterThan(2);
    expect([...new Set(stacks)].filter((stack) => !(stack in templates))).toEqual([]);
  });

  it('name only outputs that the stacks have', () => {
    const outputs = Object.values(templates).flatMap((each) => Object.keys(each.findOutputs('*')));
    const named = [...guide.matchAll(/OutputKey=='(\w+)'/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !outputs.includes(name))).toEqual([]);
  });

  it('say of each service of the stacks whether the regions of the Middle East have it', async () => {
    const stages = [templates, (await synthesise('dev')).templates];
    const services = stages
      .flatMap((stage) => Object.values(stage))
      .flatMap((each) => Object.values(typesSchema.parse(each.toJSON()).Resources))
      .map(({ Type }) => Type.split('::').slice(0, 2).join('::'));
    expect(new Set(services).size).toBeGreaterThan(10);
    const rows = [
      ...deployGuide.matchAll(/^\| `(AWS::\w+)`.*\| (?:yes|no|global) +\| (?:yes|no|global) +\| \S/gm),
    ];
    const named = new Set(rows.map(([, service]) => service));
    expect([...new Set(services)].filter((service) => !named.has(service))).toEqual([]);
  });

  it('delete the logs of the stage that goes, and of no other', () => {
    const logs = Object.values(templates)
      .flatMap((each) => Object.values(each.findResources('AWS::Logs::LogGroup', {})))
      .map((log) => logGroupSchema.parse(log).Properties.LogGroupName);
    const loops = [
      ...deployGuide.matchAll(
        /for name in ([a-z -]+); do\n +aws logs delete-log-group --log-group-name "(\S+)\$name"/g,
      ),
    ];
    const deleted = loops.flatMap(([, each = '', start = '']) => each.split(' ').map((name) => start + name));
    expect(deleted.sort()).toEqual(logs.sort());
    // A prefix would also find the logs of a stage `prod-eu`.
    expect(deployGuide).not.toContain('--log-group-name-prefix');
  });

  it('deploy no schedule before the registry is uploaded', () => {
    const deploys = [...deployGuide.matchAll(/^npx cdk deploy (.*)$/gm)].map(({ index, 1: what }) => ({
      index,
      what,
    }));
    const first = defined(deploys[0]).what ?? '';
    const stacks = [...first.matchAll(/Daybook-prod-(\w+)/g)].map(([, stack = '']) => stack);
    expect(stacks).toContain('Data');
    expect(defined(deploys[1]).what).toBe('--all -c stage=prod');
    const push = deployGuide.indexOf('npx daybook registry push');
    expect(push).toBeGreaterThan(defined(deploys[0]).index);
    expect(push).toBeLessThan(defined(deploys[1]).index);
    for (const stack of stacks) template(stack).resourceCountIs('AWS::Scheduler::Schedule', 0);
  });
});
