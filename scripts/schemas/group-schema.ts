import { groupSchema, prefixSchema } from '#registry/group.ts';
import { MERCHANT_CODE, MOST_RECIPIENTS } from '#registry/registry-schema.ts';
import { MOST_MERCHANTS } from '#registry/registry.ts';
import { described, extended, propertiesOf } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { GROUP_TEXTS, PREFIX_TEXTS } from './texts.ts';

/** The code reads the three forms one by one, so that its errors name them. */
function membersJsonSchema(): JsonSchema {
  const prefix = propertiesOf(prefixSchema);
  return {
    anyOf: [
      { const: 'all' },
      {
        type: 'object',
        properties: described(prefix.properties, PREFIX_TEXTS),
        required: prefix.required,
        additionalProperties: false,
      },
      {
        type: 'array',
        items: { type: 'string', pattern: MERCHANT_CODE.source },
        minItems: 1,
        maxItems: MOST_MERCHANTS,
        uniqueItems: true,
      },
    ],
  };
}

/** The JSON Schema of a group. */
export function groupJsonSchema(): JsonSchema {
  const { properties, required } = propertiesOf(groupSchema);
  const members = {
    ...properties,
    merchants: membersJsonSchema(),
    recipients: extended(properties['recipients'], {
      minItems: 1,
      maxItems: MOST_RECIPIENTS,
      uniqueItems: true,
    }),
  };
  return {
    type: 'object',
    properties: described(members, GROUP_TEXTS),
    required,
    additionalProperties: false,
  };
}
