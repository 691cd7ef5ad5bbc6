import { groupSchema, prefixSchema } from '#registry/group.ts';
import { MOST_RECIPIENTS, merchantSchema, OWN_MEMBERS, serviceSchema } from '#registry/registry-schema.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { MOST_MERCHANTS } from '#registry/registry.ts';
import { described, extended, propertiesOf, DRAFT } from './json-schema.ts';
import type { JsonSchema, Properties } from './json-schema.ts';
import { GROUP_TEXTS, PREFIX_TEXTS, MERCHANT_TEXTS, SCHEMA_TEXT, SERVICE_TEXTS } from './texts.ts';
import { COMPARISONS } from '#records/balance/comparisons.ts';
import { knownColumnNames } from '#records/rows/redaction.ts';
import { MOST_GROUPS } from '#registry/groups.ts';
import { ruleJsonSchema } from './rule-schema.ts';

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
function groupJsonSchema(): JsonSchema {
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

const STATUS_NUMBERS = { propertyNames: { pattern: '^-?\\d+$' } };
const ONCE = { uniqueItems: true };

/** What zod checks with code, as far as JSON Schema can express it. */
function withChecks(members: Properties): Properties {
  const inner = (name: string, more: Properties): JsonSchema =>
    extended(members[name], { properties: { ...nestedOf(members[name]), ...more } });
  return {
    ...members,
    recipients: extended(members['recipients'], { maxItems: 100, ...ONCE }),
    timeZone: extended(members['timeZone'], {
      examples: ['Asia/Kuwait', 'Asia/Dubai', 'Asia/Riyadh', 'UTC'],
    }),
    reportFrom: extended(members['reportFrom'], { format: 'date' }),
    invoiceTypes: extended(members['invoiceTypes'], ONCE),
    invoiceStatuses: extended(members['invoiceStatuses'], STATUS_NUMBERS),
    charges: extended(members['charges'], ONCE),
    redact: extended(members['redact'], {
      items: extended(nestedItems(members['redact']), { examples: knownColumnNames() }),
    }),
    refunds: inner('refunds', {
      statuses: extended(nestedOf(members['refunds'])['statuses'], STATUS_NUMBERS),
    }),
    balance: inner('balance', {
      ignore: extended(nestedOf(members['balance'])['ignore'], { items: { enum: [...COMPARISONS] } }),
    }),
    alerts: extended(members['alerts'], { items: { $ref: '#/definitions/rule' } }),
  };
}

function isProperties(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null;
}

function nestedOf(schema: JsonSchema | undefined): Properties {
  const nested = schema?.['properties'];
  return isProperties(nested) ? nested : {};
}

function nestedItems(schema: JsonSchema | undefined): JsonSchema {
  const items = schema?.['items'];
  return isProperties(items) ? items : {};
}

/** The JSON Schema of the registry. */
export function registryJsonSchema(): JsonSchema {
  const service = propertiesOf(serviceSchema);
  const merchant = propertiesOf(merchantSchema);
  const members = described(withChecks(merchant.properties), MERCHANT_TEXTS);
  const names = Object.keys(members);
  const referring = (wanted: readonly string[]): Properties =>
    Object.fromEntries(wanted.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  return {
    $schema: DRAFT,
    title: 'The registry of Daybook',
    description: 'For which merchants Daybook works, and how. docs/registry.md says more.',
    type: 'object',
    properties: {
      $schema: { description: SCHEMA_TEXT, type: 'string' },
      service: {
        description: 'The payment service.',
        type: 'object',
        properties: described(service.properties, SERVICE_TEXTS),
        required: service.required,
        additionalProperties: false,
      },
      defaults: {
        description: 'Settings of every merchant that has none of its own.',
        type: 'object',
        properties: referring(names.filter((name) => !OWN_MEMBERS.includes(name))),
        additionalProperties: false,
      },
      merchants: {
        description: 'The merchants, each once.',
        type: 'array',
        maxItems: MOST_MERCHANTS,
        items: {
          type: 'object',
          properties: referring(names),
          required: merchant.required,
          additionalProperties: false,
        },
      },
      groups: {
        description: 'Groups of merchants whose pages go to recipients of their own.',
        type: 'array',
        maxItems: MOST_GROUPS,
        items: groupJsonSchema(),
      },
    },
    required: ['service', 'merchants'],
    additionalProperties: false,
    definitions: { ...members, rule: ruleJsonSchema() },
  };
}
