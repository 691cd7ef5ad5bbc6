import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';

// The changes of the templates must be reviewed together with a change of the stacks.
const stages = await Promise.all(['dev', 'prod'].map((stage) => synthesise(stage)));
describe.each(stages)('the templates of $settings.stage', ({ settings: { stage }, templates }) => {
  it.each(Object.entries(templates))('are the recorded templates: %s', async (name, template) => {
    const text = `${JSON.stringify(template.toJSON(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`snapshots/${stage}/${name}.json`);
  });
});
