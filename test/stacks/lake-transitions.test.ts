import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Definition, State } from '#sandbox/step-functions/definition.ts';
import { lakeDefinition } from '#sandbox/step-functions/lake-definition.ts';
import { defined } from '#support/assertions/defined.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const stage = await synthesise('dev');
const definition = lakeDefinition(stage.template('Lake').toJSON(), 'data');
const parametersSchema = z.looseObject({
  QueryString: z.string().optional(),
  'QueryString.$': z.string().optional(),
});
const nextSchema = z.looseObject({ Next: z.string() });

/**
 * The states that an execution enters.
 *
 * @param ways where its choices go, each of them once
 * @param items the ways of each item of a map
 */
function entered(
  { StartAt, States }: Pick<Definition, 'StartAt' | 'States'>,
  ways: readonly string[],
  items: Record<string, (readonly string[])[]> = {},
): [string, State][] {
  const path: [string, State][] = [];
  const left = [...ways];
  for (let name: string | undefined = StartAt; name !== undefined;) {
    const state: State = defined(States[name], name);
    path.push([name, state]);
    for (const item of items[name] ?? []) path.push(...entered(defined(state.ItemProcessor), item));
    const choices = z.array(nextSchema).parse(state['Choices'] ?? []);
    const targets = [...choices.map(({ Next }) => Next), z.string().optional().parse(state['Default'])];
    if (state.Type === 'Choice') {
      const chosen = targets.find((to) => left.includes(to ?? ''));
      name = defined(chosen, name);
      left.splice(left.indexOf(name), 1);
    } else name = state.Next;
  }
  return path;
}

/** The states with statements that are charged for what they read. DDL is free. */
function charged(path: readonly [string, State][]): string[] {
  return path
    .filter(([, { Resource }]) => String(Resource).endsWith('startQueryExecution.sync'))
    .filter(([, { Parameters }]) => {
      const { QueryString, 'QueryString.$': format } = parametersSchema.parse(Parameters);
      return !/^(States\.Format\(')?CREATE /.test(defined(QueryString ?? format));
    })
    .map(([name]) => name);
}

/** As docs/scale.md counts them ("What a stage costs"). */
const TRANSITIONS = { look: 19, merge: 46, views: 9, group: 9 };
const STATEMENTS = { look: 2, merge: 13, views: 1, group: 4 };

describe('an execution of the history', () => {
  const looked = ['Make invoices_history', 'Note the time', 'Write history_state', 'Looked'];
  const merged = [
    'Make invoices_history',
    'Note the time',
    'Write history_state',
    'Begin with the first slice',
    // A slice of days, and one of mail.
    'Take the next slice',
    'Merge the invoices of the slice',
    'Take the next slice',
    'Merge the mail of the slice',
    'Note the time again',
    'Write history_state again',
    'Count the run',
  ];
  const replacing = (ways: readonly string[]) => [
    ...ways,
    ...ways.flatMap((way) =>
      way.startsWith('Write history_state') ? way.replace('history_state', 'history_views') : [],
    ),
  ];

  it('counts the transitions of each execution', () => {
    expect(entered(definition, looked)).toHaveLength(TRANSITIONS.look);
    expect(entered(definition, replacing(looked))).toHaveLength(TRANSITIONS.look + TRANSITIONS.views);
    expect(entered(definition, merged)).toHaveLength(TRANSITIONS.merge);
    expect(entered(definition, replacing(merged))).toHaveLength(TRANSITIONS.merge + 2 * TRANSITIONS.views);
  });

  it('counts the statements that read', () => {
    expect(charged(entered(definition, looked))).toHaveLength(STATEMENTS.look);
    expect(charged(entered(definition, replacing(looked)))).toHaveLength(STATEMENTS.look + STATEMENTS.views);
    const names = charged(entered(definition, merged));
    expect(names).toHaveLength(STATEMENTS.merge);
    // The files of the last two months are joined every day.
    expect(names.filter((name) => name.startsWith('Join the new files'))).toHaveLength(4);
  });

  it("counts a group's copy, whose days of a daily run are in one half-year", async () => {
    const { template: more } = await synthesise('dev', (settings) => {
      settings.lake.groups = [{ name: 'north', merchants: ['700001'], personal: false }];
    });
    const withGroup = lakeDefinition(more('Lake').toJSON(), 'data');
    const path = entered(withGroup, merged, { 'Each half-year of north that differs': [[]] });
    expect(path).toHaveLength(TRANSITIONS.merge + TRANSITIONS.group);
    expect(charged(path)).toHaveLength(STATEMENTS.merge + STATEMENTS.group);
  }, 180_000);
});
