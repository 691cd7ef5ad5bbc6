import type { Stage } from '../stage/stage.ts';

/** When a change of the registry takes effect, in a sentence. */
export function takesEffect({ isLocal }: Pick<Stage, 'isLocal'>): string {
  return isLocal
    ? 'It takes effect the next time a function runs.'
    : 'It takes effect at once for what runs from now on. The schedule plans with it at its next tick: within 15 minutes, unless the settings of the stage say otherwise.';
}
