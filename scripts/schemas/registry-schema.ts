import { MEASURES, RULE_BODIES, ruleHeadSchema } from '#registry/alert-rules.ts';
import type { Measure } from '#registry/alert-rules.ts';
import type { Unit } from '#records/ledger/alert-line.ts';
import { described, extended, propertiesOf, DRAFT } from './json-schema.ts';
import type { JsonSchema, Properties } from './json-schema.ts';
import {
  MEASURE_TEXTS,
  PARAMETER_TEXTS,
  RULE_TEXTS,
  SCHEMA_TEXT,
  SECRET_TEXTS,
  GROUP_TEXTS,
  PREFIX_TEXTS,
  MERCHANT_TEXTS,
  SERVICE_TEXTS,
} from './texts.ts';
import { MOST_RECIPIENTS, merchantSchema, OWN_MEMBERS, serviceSchema } from '#registry/registry-schema.ts';
import { entrySchema } from '#service/authentication/credentials.ts';
import { groupSchema, MOST_GROUPS, prefixSchema } from '#registry/groups.ts';
import { MOST_MERCHANTS } from '#registry/registry.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { COMPARISONS } from '#records/balance/comparisons.ts';
import { knownColumnNames } from '#records/rows/redaction.ts';

const DECIMAL = '^\\d{1,30}(\\.\\d{1,3})?$';
/** A larger JSON number may have lost the digits that were written. */
const NUMBER = { type: 'number', minimum: 0, exclusiveMaximum: 1e12 };

/** What a bound may be, by the unit of the measure. Numbers with more than three decimals cannot be excluded. */
const BOUND: Record<Unit, JsonSchema> = {
  amount: {
    type: 'string',
    pattern: DECIMAL,
    patternErrorMessage: 'must be a decimal string such as "12.500"',
  },
  count: {
    anyOf: [
      { ...NUMBER, type: 'integer' },
      { type: 'string', pattern: '^\\d{1,30}(\\.0{1,3})?$' },
    ],
  },
  percent: { anyOf: [NUMBER, { type: 'string', pattern: DECIMAL }] },
  hours: { anyOf: [NUMBER, { type: 'string', pattern: DECIMAL }] },
};

function textOf(measure: string): string {
  const text = MEASURE_TEXTS[measure];
  if (text === undefined) throw new Error(`the measure ${measure} has no description`);
  return text;
}

function textsOf(properties: Properties, texts: typeof PARAMETER_TEXTS): typeof PARAMETER_TEXTS {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => Object.hasOwn(properties, name)));
}

function ruleOf(measure: Measure): JsonSchema {
  const head = propertiesOf(ruleHeadSchema);
  const body = propertiesOf(RULE_BODIES[measure.unit]);
  const bound = BOUND[measure.unit];
  const { notBefore, ...members } = body.properties;
  const own = propertiesOf(measure.parameters);
  const common: Properties = {
    name: extended(head.properties['name'], {}),
    measure: { const: measure.name },
    ...members,
    ...{ above: bound, below: bound, clearAt: bound },
    ...(measure.ofDay && notBefore !== undefined && { notBefore }),
  };
  return {
    title: measure.name,
    type: 'object',
    properties: {
      ...described(common, textsOf(common, RULE_TEXTS)),
      ...described(own.properties, textsOf(own.properties, PARAMETER_TEXTS)),
    },
    required: ['name', 'measure', ...own.required],
    oneOf: [{ required: ['above'] }, { required: ['below'] }],
    additionalProperties: false,
  };
}

function ruleJsonSchema(): JsonSchema {
  return {
    type: 'object',
    properties: {
      measure: {
        description: RULE_TEXTS['measure'],
        enum: MEASURES.map(({ name }) => name),
        enumDescriptions: MEASURES.map(({ name }) => textOf(name)),
      },
    },
    required: ['name', 'measure'],
    anyOf: MEASURES.map(ruleOf),
  };
}

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
