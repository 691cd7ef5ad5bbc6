import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { SettingsError } from './settings-error.ts';

const STAGES = join(import.meta.dirname, 'stages');
/** The name of a stage, and of its file. It is a part of the names of resources. */
export const STAGE_NAME = /^[a-z][a-z0-9-]{0,19}$/;

function choices(): string {
  const known = readdirSync(STAGES).map((file) => `-c stage=${basename(file, '.json')}`);
  return `use ${known.join(', ')}, or the path of your own file, such as -c stage=../daybook/prod.json`;
}

/**
 * The settings file of a stage. There is no default: `cdk destroy` must never take a stage that nobody named.
 *
 * @param stage the name of a file in `lib/stages`, or the path of another settings file
 * @throws {SettingsError} when no stage is named, or there is none of that name
 */
export function stageFile(stage: unknown): string {
  if (stage === undefined || stage === '') throw new SettingsError(`no stage is named: ${choices()}`);
  if (typeof stage === 'string') {
    if (stage.endsWith('.json')) return resolve(stage);
    const file = join(STAGES, `${stage}.json`);
    if (STAGE_NAME.test(stage) && existsSync(file)) return file;
  }
  throw new SettingsError(`stage ${JSON.stringify(stage)} is not known: ${choices()}`);
}
