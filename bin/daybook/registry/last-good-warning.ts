import { lastGoodKey } from '#domain/storage/keys.ts';
import type { Stage } from '../stage/stage.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import { reasonForLastGood } from './stored-registry.ts';

/**
 * Why a change of the registry would not take effect yet, `null` when it would. For example, more than 5 % of the
 * merchants are gone, and the functions go on with the last good registry.
 *
 * @param removed merchants that are taken out of the last good registry, too
 */
export async function lastGoodWarning(
  stage: Stage,
  text: string,
  removed: readonly string[] = [],
): Promise<string | null> {
  return (await reasonForLastGood(stage, text, removed)) ?? null;
}

/** Shows the warning before a person decides. */
export function showWarning(output: Output, warning: string | null): void {
  if (warning === null) return;
  output.note(`${output.noteStyle('yellow', 'Warning')}: ${shown(warning, 1_000)}`);
}

/** When a change of the registry takes effect, in sentences. */
export function takesEffect(stage: Stage, warning: string | null): string {
  const { isLocal, bucket, registryKey } = stage;
  if (warning !== null) {
    return `It takes no effect while the last good registry is used. If the change is meant, delete that one: aws s3 rm s3://${bucket}/${lastGoodKey(registryKey)}`;
  }
  return isLocal
    ? 'It takes effect the next time a function runs.'
    : 'It takes effect at once for what runs from now on. The schedule plans with it at its next tick: within 15 minutes, unless the settings of the stage say otherwise.';
}
