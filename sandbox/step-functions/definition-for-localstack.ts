import type { Definition, State } from './definition.ts';

/** The state in a form that LocalStack reads: a percentage must have a point, and retries wait for a second at most. */
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

/** The definition as text that LocalStack reads. */
export function definitionForLocalStack(definition: Definition): string {
  return JSON.stringify({ ...definition, States: adaptStates(definition.States) }).replaceAll(
    /("ToleratedFailurePercentage":\d+)(?=[,}])/g,
    '$1.0',
  );
}
