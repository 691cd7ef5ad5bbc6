import type { Template } from 'aws-cdk-lib/assertions';
import { synthesise } from '#support/stacks/synthesised.ts';

// The changes of the templates must be reviewed together with a change of the stacks.
const [prod, dev] = await Promise.all([synthesise('prod'), synthesise('dev')]);

function asText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The members of an object or array, `undefined` for any other value. */
function membersOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

/** What another template has in place of the first one's values, by their paths. `null`: it has nothing there. */
function differences(first: unknown, second: unknown, path = ''): [string, unknown][] {
  if (JSON.stringify(first) === JSON.stringify(second)) return [];
  const [one, other] = [membersOf(first), membersOf(second)];
  if (one === undefined || other === undefined) return [[path, second ?? null]];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .sort()
    .flatMap((name) => differences(one[name], other[name], path === '' ? name : `${path} ${name}`));
}

function templatesOf({ templates }: { templates: Record<string, Template> }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, template.toJSON()]));
}

describe('the templates', () => {
  it.each(Object.entries(templatesOf(prod)))('of prod are the recorded ones: %s', async (name, template) => {
    await expect(asText(template)).toMatchFileSnapshot(`snapshots/prod/${name}.json`);
  });

  it('of dev differ from those of prod as it is recorded', async () => {
    // What has the stage in its name is the same.
    const named: unknown = JSON.parse(JSON.stringify(templatesOf(dev)).replaceAll(/\bdev\b/g, 'prod'));
    const found = Object.fromEntries(differences(templatesOf(prod), named));
    await expect(asText(found)).toMatchFileSnapshot('snapshots/dev.json');
  });
});
