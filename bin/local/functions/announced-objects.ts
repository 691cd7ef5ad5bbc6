import { isAnnounced } from '#lib/functions.ts';
import type { EventBus } from '#sandbox/aws/index.ts';
import type { FunctionEnvironments } from './function-environments.ts';

/** Lambda calls a function so often with an event whose sender does not wait. */
const MOST_CALLS = 3;

async function announce(functions: FunctionEnvironments, event: object): Promise<void> {
  for (let call = 1; call <= MOST_CALLS; call += 1) {
    try {
      await functions.invoke('announce', event);
      return;
    } catch {
      // The log of the functions has the error.
    }
  }
}

/**
 * From now on `announce` is called with each object that says something, as the rule of a stage does.
 * @returns resolves when it knows all objects that are there
 */
export function announceObjects(bus: EventBus, functions: FunctionEnvironments): () => Promise<void> {
  const calls = new Set<Promise<void>>();
  bus.onObject = (event, key) => {
    if (!isAnnounced(key)) return;
    const call = announce(functions, event).finally(() => calls.delete(call));
    calls.add(call);
  };
  return async () => {
    while (calls.size > 0) await Promise.all(calls);
  };
}
