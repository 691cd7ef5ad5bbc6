import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../terminal/command-errors.ts';

const STAGES = resolve(import.meta.dirname, '../../../lib/stages');
const NAME = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

const regionSchema = z.object({ region: z.string() });

/** The stages that have a file in lib/stages. */
export function knownStages(): string[] {
  return readdirSync(STAGES)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/**
 * The name of the stage: of `--stage`, else of `DAYBOOK_STAGE`.
 *
 * @throws {UsageError} when there is none, or it cannot be one
 */
export function stageName(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  const name = given ?? environment['DAYBOOK_STAGE'];
  const stages = knownStages().join(', ');
  if (name === undefined || name === '') {
    throw new UsageError(
      `name a stage with --stage or DAYBOOK_STAGE (in lib/stages: ${stages}), or use --local`,
    );
  }
  if (!NAME.test(name)) {
    throw new UsageError(`"${name}" cannot be the name of a stage (in lib/stages: ${stages})`);
  }
  return name;
}

/** The region in a stage's settings, `undefined` when it has no file in lib/stages. */
export function regionOfStage(stage: string): string | undefined {
  if (!knownStages().includes(stage)) return undefined;
  const settings: unknown = JSON.parse(readFileSync(join(STAGES, `${stage}.json`), 'utf8'));
  return regionSchema.safeParse(settings).data?.region;
}
