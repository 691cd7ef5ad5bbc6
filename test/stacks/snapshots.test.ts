import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';

// The changes of the templates must be reviewed together with a change of the stacks.
const stages = await Promise.all(
  ['dev', 'prod'].map(async (stage) => [stage, await synthesise(stage)] as const),
);
describe.each(stages)('the templates of %s', (stage, { templates }) => {
  it.each(Object.entries(templates))('are the recorded templates: %s', async (name, template) => {
    const text = `${JSON.stringify(template.toJSON(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`snapshots/${stage}/${name}.json`);
  });
});
