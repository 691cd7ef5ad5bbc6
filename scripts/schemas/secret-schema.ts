import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { entrySchema } from '#service/authentication/credentials.ts';
import { described, DRAFT, propertiesOf } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { SCHEMA_TEXT, SECRET_TEXTS } from './texts.ts';

/** The JSON Schema of a secret. The lengths of key and IV, in bytes, cannot be expressed in it. */
export function secretJsonSchema(): JsonSchema {
  const entry = propertiesOf(entrySchema);
  return {
    $schema: DRAFT,
    title: 'A secret of Daybook',
    description: 'Credentials of merchants. docs/registry.md says more.',
    type: 'object',
    properties: {
      $schema: { description: SCHEMA_TEXT, type: 'string' },
      merchants: {
        description: 'The credentials of each merchant, by its code.',
        type: 'object',
        patternProperties: { [MERCHANT_CODE.source]: { $ref: '#/definitions/entry' } },
        additionalProperties: false,
      },
    },
    required: ['merchants'],
    additionalProperties: false,
    definitions: {
      entry: {
        type: 'object',
        properties: described(entry.properties, SECRET_TEXTS),
        required: entry.required,
        anyOf: [{ required: ['accessToken'] }, { required: ['username', 'password'] }],
        additionalProperties: false,
      },
    },
  };
}
