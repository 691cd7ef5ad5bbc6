import { describe, expect, it } from 'vitest';
import { COMPARISONS } from '#records/balance/comparisons.ts';
import { BRANDING, brandingSchema } from '#registry/branding.ts';
import { MEASURES } from '#registry/alert-rules.ts';
import { groupSchema } from '#registry/groups.ts';
import { MERGED_SCHEMAS, merchantSchema } from '#registry/registry-schema.ts';
import { statementSettingsSchema } from '#registry/statement-settings.ts';
import { textOf } from '#support/documentation/documents.ts';
import { membersOf, namesIn, sectionOf } from '#support/documentation/markdown.ts';

const registry = textOf('docs/registry.md');

describe('docs/registry.md lists exactly what the code has:', () => {
  it.each([
    ['merchant', 'A merchant', 'member', merchantSchema],
    ['branding', 'Branding', 'branding member', brandingSchema],
    ['statements', 'Statements', 'statements member', statementSettingsSchema],
    ['group', 'Groups', 'group member', groupSchema],
  ])('the members of a %s', (_, heading, first, schema) => {
    const documented = membersOf(sectionOf(registry, heading), first);
    expect(documented.sort()).toEqual(Object.keys(schema.unwrap().shape).sort());
  });

  it('the members of branding that have a default', () => {
    expect(Object.keys(BRANDING)).toEqual(
      Object.keys(brandingSchema.unwrap().shape).filter((name) => name !== 'footer'),
    );
  });

  it('the members that are merged', () => {
    const [, sentence = ''] = /members are merged: ([^.]+)\./.exec(registry) ?? [];
    expect(namesIn(sentence).sort()).toEqual(Object.keys(MERGED_SCHEMAS).sort());
  });

  it('the comparisons', () => {
    const documented = membersOf(sectionOf(registry, 'What is compared'), 'name');
    expect(documented.sort()).toEqual([...COMPARISONS].sort());
  });
});

it('docs/alerts.md names every measure in its table', () => {
  const documented = membersOf(textOf('docs/alerts.md'), 'measure');
  expect(documented.sort()).toEqual(MEASURES.map(({ name }) => name).sort());
});
