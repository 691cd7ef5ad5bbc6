import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { GROUP, STATEMENTS, TRANSITIONS } from '#bin/daybook/cost/model/history-bill.ts';
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

/** The states that an execution enters. @param ways where its choices go; @param slices the ways of each item of a map */
function entered(
  { StartAt, States }: Pick<Definition, 'StartAt' | 'States'>,
  ways: readonly string[],
  slices: Record<string, (readonly string[])[]> = {},
): [string, State][] {
  const path: [string, State][] = [];
  for (let name: string | undefined = StartAt; name !== undefined;) {
    const state: State = defined(States[name], name);
    path.push([name, state]);
    for (const item of slices[name] ?? []) path.push(...entered(defined(state.ItemProcessor), item));
    const choices = z.array(nextSchema).parse(state['Choices'] ?? []);
    const targets = [...choices.map(({ Next }) => Next), z.string().optional().parse(state['Default'])];
    name =
      state.Type === 'Choice'
        ? defined(
            targets.find((to) => ways.includes(to ?? '')),
            name,
          )
        : state.Next;
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

describe('the cost of the history', () => {
  const looked = ['Make invoices_history', 'Note the time', 'Write history_state', 'Looked'];
  const merged = [
    'Make invoices_history',
    'Note the time',
    'Write history_state',
    'Each slice of days',
    'Write history_state again',
    'Count the run',
  ];
  const slices = {
    'Each slice of days': [['Merge the invoices of the slice'], ['Merge the mail of the slice']],
  };
  const replacing = (ways: readonly string[]) => [
    ...ways,
    ...ways.map((way) => way.replace(/^Write history_state/, 'Write history_views')),
  ];

  it('counts the transitions of each execution', () => {
    expect(entered(definition, looked)).toHaveLength(TRANSITIONS.look);
    expect(entered(definition, replacing(looked))).toHaveLength(TRANSITIONS.look + TRANSITIONS.views);
    expect(entered(definition, merged, slices)).toHaveLength(TRANSITIONS.merge);
    expect(entered(definition, replacing(merged), slices)).toHaveLength(
      TRANSITIONS.merge + 2 * TRANSITIONS.views,
    );
  });

  it('counts the statements that read', () => {
    expect(charged(entered(definition, looked))).toHaveLength(STATEMENTS.look);
    expect(charged(entered(definition, replacing(looked)))).toHaveLength(STATEMENTS.look + STATEMENTS.views);
    const names = charged(entered(definition, merged, slices));
    expect(names).toHaveLength(STATEMENTS.merge);
    // The files of the last two months are joined every day.
    expect(names.filter((name) => name.startsWith('Join the new files'))).toHaveLength(4);
  });

  it("counts a group's copy, whose days of a daily run are in one half-year", async () => {
    const { template: more } = await synthesise('dev', (settings) => {
      settings.lake.groups = [{ name: 'north', merchants: ['700001'], personal: false }];
    });
    const withGroup = lakeDefinition(more('Lake').toJSON(), 'data');
    const path = entered(withGroup, merged, { ...slices, 'Each half-year of north that differs': [[]] });
    expect(path).toHaveLength(TRANSITIONS.merge + GROUP.transitions);
    expect(charged(path)).toHaveLength(STATEMENTS.merge + GROUP.statements);
  });
});
