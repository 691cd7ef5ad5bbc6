import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { MEASURES } from '#registry/alert-rules.ts';
import { readRules } from '#registry/alert-rules.ts';
import { elementsOf } from '#support/assertions/elements.ts';

it('the example rules in the documentation are valid, and every measure has an example', async () => {
  const text = await readFile(new URL('../../../../docs/alerts.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): unknown => JSON.parse(json));
  const [single, list] = blocks;
  const examples = elementsOf(list);
  for (const alerts of [[single], examples]) {
    expect(readRules(alerts)).toMatchObject({ problems: [], unknown: [] });
  }
  const shown = readRules(examples).rules.map(({ measure }) => measure);
  expect(shown.sort()).toEqual(MEASURES.map(({ name }) => name).sort());
});
