import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { outlivingResources } from '#support/stacks/stateful-resources.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/index.ts';
import * as z from 'zod';

const guideOf = (name: string) => readFileSync(resolve(import.meta.dirname, `../../docs/${name}.md`), 'utf8');
const deployGuide = guideOf('deploy');
const upgradeGuide = guideOf('upgrade');
const others = ['settings', 'history', 'rights', 'runbook', 'operations', 'queues'];
const guide = [deployGuide, upgradeGuide, ...others.map(guideOf)].join('\n');
const { templates, template } = await synthesise('prod');
/** Of the stack that a stage has with webhooks. */
const WEBHOOKS = 'daybook-prod-webhooks-dead';

const resourcesSchema = z.object({
  Resources: z.record(z.string(), z.object({ Properties: z.record(z.string(), z.unknown()).optional() })),
});

const workGroupSchema = z.object({ Properties: z.object({ Name: z.string() }) });

/** The command of `aws` that deletes a named resource, which has stayed. */
const DELETED_BY: Partial<Record<string, string>> = {
  'AWS::Logs::LogGroup': 'logs delete-log-group',
  'AWS::EventSchemas::Registry': 'schemas delete-registry',
};

/** The text below a heading of the second level. */
function section(document: string, heading: string): string {
  return defined(document.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)));
}

/** The names of all resources that people use. */
const names = new Set(
  Object.values(templates).flatMap((each) =>
    Object.values(resourcesSchema.parse(each.toJSON()).Resources)
      .flatMap(({ Properties = {} }) => [
        Properties['FunctionName'],
        Properties['QueueName'],
        Properties['Name'],
        Properties['DashboardName'],
      ])
      .filter((name) => typeof name === 'string'),
  ),
);

it('use the names of the deployed stacks, functions and other resources', () => {
  const named = [...guide.matchAll(/\bdaybook-prod(?:-[a-z]+)*/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([WEBHOOKS]);
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

it('say at the teardown how each named resource that stays is deleted', () => {
  const teardown = section(upgradeGuide, 'Teardown');
  const deleted = [...teardown.matchAll(/^ *aws (\S+ delete-\S+) --\S+ "?([^\s"]+)/gm)].flatMap(
    ([, command = '', name = ''], index, all) => {
      const loop = [...teardown.slice(0, all[index]?.index).matchAll(/^ *for name in ([a-z -]+); do$/gm)].at(
        -1,
      );
      return name.endsWith('$name')
        ? (loop?.[1] ?? '').split(' ').map((each) => `${command} ${name.replace('$name', each)}`)
        : [`${command} ${name}`];
    },
  );
  const stays = Object.values(templates)
    .flatMap(outlivingResources)
    .flatMap(({ type, name }) => (name === undefined ? [] : [`${DELETED_BY[type] ?? type} ${name}`]));
  // A workgroup goes with its stack only if it has no history of queries, so people delete it first.
  const workGroups = Object.values(templates)
    .flatMap((each) => Object.values(each.findResources('AWS::Athena::WorkGroup', {})))
    .map((each) => `athena delete-work-group ${workGroupSchema.parse(each).Properties.Name}`);
  expect(deleted.toSorted()).toEqual([...stays, ...workGroups].toSorted());
  // A prefix would also find the logs of a stage `prod-eu`.
  expect(teardown).not.toContain('--log-group-name-prefix');
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
