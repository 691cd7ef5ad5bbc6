import type { Definition, State } from './definition.ts';

/** A state as it is run there: retries wait for two seconds at most, so that a test does not take minutes. */
function adaptState(state: State): State {
  const { Retry, ItemProcessor } = state;
  return {
    ...state,
    ...(Retry !== undefined && {
      Retry: Retry.map((retry) => ({ ...retry, IntervalSeconds: 1, MaxDelaySeconds: 2 })),
    }),
    ...(ItemProcessor !== undefined && {
      ItemProcessor: { ...ItemProcessor, States: adaptStates(ItemProcessor.States) },
    }),
  };
}

function adaptStates(states: Definition['States']): Definition['States'] {
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, adaptState(state)]));
}

/** The definition as text that LocalStack reads: its percentages must have a point. */
export function definitionForLocalStack(definition: Definition): string {
  return JSON.stringify({ ...definition, States: adaptStates(definition.States) }).replaceAll(
    /("ToleratedFailurePercentage":\d+)(?=[,}])/g,
    '$1.0',
  );
}
