import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { detailSchema, type EventType } from '#watch/announce/event-schemas.ts';
import type { JsonSchema } from './json-schema.ts';

/** What a person wrote into the committed file: it stays when the schema is written anew. */
const shownSchema = z.object({ description: z.string(), examples: z.array(z.unknown()) });

/** The schema of the member `detail`, with what it means and an example. Later versions add members, so others are allowed. */
export function eventJsonSchema(type: EventType): JsonSchema {
  const file = new URL(`../../docs/schema/events/${type}.schema.json`, import.meta.url);
  const shown = shownSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return z.toJSONSchema(detailSchema(type).meta({ title: type, ...shown }), {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // A format says it all.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
}
