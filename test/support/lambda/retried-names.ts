import * as z from 'zod';
import { fanOutDefinition } from '#sandbox/step-functions/fan-out-definition.ts';

const retriesSchema = z.array(z.object({ ErrorEquals: z.array(z.string()) }));

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'Retry'
      ? retriesSchema.parse(member).flatMap(({ ErrorEquals }) => ErrorEquals)
      : namesIn(member),
  );
}

/** The names of errors that a state of the two fan-outs tries again, as they are deployed. */
export const retriedNames: readonly string[] = [
  ...new Set((['daily', 'alert'] as const).flatMap((kind) => namesIn(fanOutDefinition(kind)))),
];
