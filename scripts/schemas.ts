import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { EVENT_TYPES } from '#watch/announce/event-schemas.ts';
import { readOptions } from './command-line.ts';
import { eventJsonSchema } from './schemas/event-schemas.ts';
import type { JsonSchema } from './schemas/json-schema.ts';
import { registryJsonSchema, secretJsonSchema } from './schemas/registry-schema.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/schema');

export const SCHEMAS: readonly { file: string; schema: () => JsonSchema }[] = [
  { file: resolve(FOLDER, 'registry.schema.json'), schema: registryJsonSchema },
  { file: resolve(FOLDER, 'secret.schema.json'), schema: secretJsonSchema },
  ...EVENT_TYPES.map((type) => ({
    file: resolve(FOLDER, `events/${type}.schema.json`),
    schema: () => eventJsonSchema(type),
  })),
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
