import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../terminal/command-errors.ts';

export const STAGES = resolve(import.meta.dirname, '../../../lib/stages');
const NAME = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

/** What commands read of the settings. Whether all of them are right, a deploy checks. */
const settingsSchema = z
  .object({
    region: z.string(),
    deadlines: z.object({ deliveryMinutes: z.int() }),
    service: z.object({ origins: z.array(z.string()) }),
    credentials: z.object({ prefix: z.string().optional() }),
    retention: z.record(z.string(), z.unknown()),
    lake: z.record(z.string(), z.unknown()),
  })
  .partial();

/** The stages that have a file in lib/stages. */
export function knownStages(): string[] {
  return readdirSync(STAGES)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/** Of `--stage`, else of `DAYBOOK_STAGE`. @throws {UsageError} when there is none, or it cannot be one */
export function stageName(given: string | undefined): string {
  const name = given ?? process.env['DAYBOOK_STAGE'];
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

function settingsOfStage(stage: string) {
  if (!knownStages().includes(stage)) return undefined;
  return settingsSchema.safeParse(JSON.parse(readFileSync(join(STAGES, `${stage}.json`), 'utf8'))).data;
}

/** The region in a stage's settings, `undefined` when it has no file in lib/stages. */
export function regionOfStage(stage: string): string | undefined {
  return settingsOfStage(stage)?.region;
}

/** `DEADLINES_DELIVERY_MINUTES` of the functions, when it is not set. */
const USUAL_DELIVERY_MINUTES = 60;

/** Milliseconds after its hour until which the watch waits for a report. */
export function deliveryMarginOfStage(stage: string): number {
  return (settingsOfStage(stage)?.deadlines?.deliveryMinutes ?? USUAL_DELIVERY_MINUTES) * 60_000;
}

/** How long something is kept: such as `400 days`, or the name of the setting where lib/stages has no file of the stage. */
export function keptInWords(stage: string, setting: `${'lake' | 'retention'}.${string}` | undefined): string {
  if (setting === undefined) return 'for ever';
  const { retention, lake } = settingsOfStage(stage) ?? {};
  const [room, name = ''] = setting.split('.');
  const days = (room === 'lake' ? lake : retention)?.[name];
  return typeof days === 'number' ? `${days} days` : `as ${setting} says`;
}

/** From lib/stages; `undefined` without a file there. Without a `secretPrefix` no merchant may have its own secret. */
export function registryRulesOfStage(stage: string) {
  const settings = settingsOfStage(stage);
  if (settings?.service === undefined) return undefined;
  return { origins: settings.service.origins, secretPrefix: settings.credentials?.prefix };
}
