import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './claims.ts';
import * as z from 'zod';

/** What a state machine calls with, keeps and hands on, as its definition says. Sorted. */
export interface StateMachineShape {
  /** The end of its name, after the stage. */
  name: string;
  /** Members of the event that an item's call gets. */
  handed: string[];
  /** Members that are kept of the call's answer. */
  kept: string[];
  /** Names under which the steps leave what later ones need. */
  steps: string[];
}

const selector = z.record(z.string(), z.unknown());
const stateSchema = z.object({
  ResultPath: z.string().nullable().optional(),
  ResultSelector: selector.optional(),
  ItemSelector: selector.optional(),
  get ItemProcessor() {
    return definitionSchema.optional();
  },
});
const definitionSchema = z.object({ States: z.record(z.string(), stateSchema) });
type State = z.infer<typeof stateSchema>;

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Properties: z.object({
        StateMachineName: z.string().optional(),
        DefinitionString: z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }).optional(),
      }),
    }),
  ),
});

/** The names of the members, without the `.$` that marks a path. */
function membersOf(members: Record<string, unknown> = {}): string[] {
  return Object.keys(members)
    .map((name) => name.replace(/\.\$$/, ''))
    .sort();
}

function statesIn(states: Record<string, State>): State[] {
  return Object.values(states).flatMap((state) => [
    state,
    ...statesIn(state.ItemProcessor === undefined ? {} : state.ItemProcessor.States),
  ]);
}

function shapeOf(name: string, states: Record<string, State>): StateMachineShape {
  const inner = Object.values(states).flatMap(({ ItemProcessor }) => statesIn(ItemProcessor?.States ?? {}));
  const selecting = inner.find(({ ItemSelector }) => ItemSelector !== undefined);
  const invoking = inner.find(({ ResultSelector }) => ResultSelector?.['failed'] === false);
  const steps = Object.values(states)
    .filter(({ ResultSelector }) => ResultSelector !== undefined)
    .flatMap(({ ResultPath }) => (typeof ResultPath === 'string' ? [ResultPath.replace('$.', '')] : []));
  return {
    name,
    handed: membersOf(selecting?.ItemSelector),
    kept: membersOf(invoking?.ResultSelector).filter((member) => member !== 'failed'),
    steps: [...new Set(steps)].sort(),
  };
}

/** The state machines of the stage `prod`, from the snapshot of its templates, which another test holds to the stacks. */
export function stateMachines(): StateMachineShape[] {
  const file = join(ROOT, 'test/stacks/snapshots/prod/Schedules.json');
  const { Resources } = templateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.values(Resources).flatMap(({ Properties: { StateMachineName, DefinitionString } }) => {
    if (StateMachineName === undefined || DefinitionString === undefined) return [];
    const definition = DefinitionString['Fn::Join'][1]
      .map((part) => (typeof part === 'string' ? part : 'elsewhere'))
      .join('');
    const { States } = definitionSchema.parse(JSON.parse(definition));
    return [shapeOf(StateMachineName.replace(/^.*-/, ''), States)];
  });
}
