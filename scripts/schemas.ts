import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { EVENT_TYPES, detailSchema, type EventType } from '#watch/announce/event-schemas.ts';
import { readOptions } from './command-line.ts';
import type { JsonSchema } from './schemas/json-schema.ts';
import { registryJsonSchema, secretJsonSchema } from './schemas/registry-schema.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/schema');
const eventFile = (type: EventType) => resolve(FOLDER, `events/${type}.schema.json`);

/** What a person wrote into the committed file: it stays when the schema is written anew. */
const shownSchema = z.object({ description: z.string(), examples: z.array(z.unknown()) });

/** The schema of the member `detail`, with what it means and an example. Later versions add members, so others are allowed. */
export function eventJsonSchema(type: EventType): JsonSchema {
  const shown = shownSchema.parse(JSON.parse(readFileSync(eventFile(type), 'utf8')));
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

export const SCHEMAS: readonly { file: string; schema: () => JsonSchema }[] = [
  { file: resolve(FOLDER, 'registry.schema.json'), schema: registryJsonSchema },
  { file: resolve(FOLDER, 'secret.schema.json'), schema: secretJsonSchema },
  ...EVENT_TYPES.map((type) => ({ file: eventFile(type), schema: () => eventJsonSchema(type) })),
];

export async function schemaText(file: string, schema: JsonSchema): Promise<string> {
  return format(JSON.stringify(schema), { ...(await resolveConfig(file)), filepath: file });
}

if (import.meta.main) {
  readOptions(
    'npm run schemas\n\nWrites docs/schema from the schemas of registry, secret and events. It has no options.',
    {},
  );
  for (const { file, schema } of SCHEMAS) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await schemaText(file, schema()));
  }
}
