import type { Stage } from '../stage/stage.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Force } from './stored-registry.ts';

/** Shows the warning before a person decides. */
export function showWarning(output: Output, warning: string | null): void {
  if (warning === null) return;
  output.note(`${output.noteStyle('yellow', 'Warning')}: ${shown(warning, 1_000)}`);
}

/** How to bring a registry into use that is not used. */
export function mendInWords({ lines: { daybook } }: Stage, { isForAccepting }: Force): string {
  const pull = daybook('registry', 'pull');
  return isForAccepting
    ? `If these merchants are meant to be gone: ${pull}, then ${daybook('registry', 'push', '--accept-removals')}`
    : `Correct it: ${pull}, then ${daybook('registry', 'push')}`;
}

/** When a change of the registry takes effect, in sentences. */
export function takesEffect(stage: Stage, force: Force): string {
  if (force.warning !== null) {
    return `It takes no effect: the functions use the last good registry. ${mendInWords(stage, force)}`;
  }
  return stage.isLocal
    ? 'It takes effect the next time a function runs.'
    : 'It takes effect at once for what runs from now on. The schedule plans with it at its next tick: within 15 minutes, unless the settings of the stage say otherwise.';
}

/** Says that the registry in the bucket is not the one that the functions use, if that is so. */
export function noteIfNotUsed(output: Output, stage: Stage, force: Force): void {
  if (force.warning === null) return;
  showWarning(output, `this registry is not used. ${force.warning} ${mendInWords(stage, force)}`);
}
