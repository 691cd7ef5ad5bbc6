import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';

// What a change of the stacks changes in the templates is to be read with the change.
describe.each(['dev', 'prod'])('the templates of %s', (stage) => {
  const { templates } = synthesise(stage);
  it.each(Object.entries(templates))('%s', async (name, template) => {
    const text = `${JSON.stringify(template.toJSON(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`snapshots/${stage}/${name}.json`);
  });
});
