import { MEASURES, RULE_BODIES, ruleHeadSchema } from '#registry/alert-rules.ts';
import type { Measure } from '#registry/alert-rules.ts';
import type { Unit } from '#records/ledger/alert-line.ts';
import { closedObject, described, propertiesOf, DRAFT } from './json-schema.ts';
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
    name: { ...head.properties['name'] },
    measure: { const: measure.name },
    ...members,
    ...{ above: bound, below: bound, clearAt: bound },
    ...(measure.ofDay && notBefore !== undefined && { notBefore }),
  };
  const properties = {
    ...described(common, textsOf(common, RULE_TEXTS)),
    ...described(own.properties, textsOf(own.properties, PARAMETER_TEXTS)),
  };
  const side = { oneOf: [{ required: ['above'] }, { required: ['below'] }] };
  return { title: measure.name, ...closedObject(properties, ['name', 'measure', ...own.required], side) };
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
  const signIn = { anyOf: [{ required: ['accessToken'] }, { required: ['username', 'password'] }] };
  const members = {
    $schema: { description: SCHEMA_TEXT, type: 'string' },
    merchants: {
      description: 'The credentials of each merchant, by its code.',
      type: 'object',
      patternProperties: { [MERCHANT_CODE.source]: { $ref: '#/definitions/entry' } },
      additionalProperties: false,
    },
  };
  return {
    $schema: DRAFT,
    title: 'A secret of Daybook',
    description: 'Credentials of merchants. docs/registry.md says more.',
    ...closedObject(members, ['merchants']),
    definitions: {
      entry: closedObject(described(entry.properties, SECRET_TEXTS), entry.required, signIn),
    },
  };
}

/** The code reads the three forms one by one, so that its errors name them. */
function membersJsonSchema(): JsonSchema {
  const prefix = propertiesOf(prefixSchema);
  return {
    anyOf: [
      { const: 'all' },
      closedObject(described(prefix.properties, PREFIX_TEXTS), prefix.required),
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
  const recipients = { minItems: 1, maxItems: MOST_RECIPIENTS, uniqueItems: true };
  const members = {
    ...properties,
    merchants: membersJsonSchema(),
    recipients: { ...properties['recipients'], ...recipients },
  };
  return closedObject(described(members, GROUP_TEXTS), required);
}

const STATUS_NUMBERS = { propertyNames: { pattern: '^-?\\d+$' } };
const ONCE = { uniqueItems: true };

function withChecks(members: Properties): Properties {
  const { balance, recipients, redact, refunds, timeZone, ...others } = members;
  const inner = (schema: JsonSchema | undefined, name: string, more: JsonSchema): JsonSchema => {
    const nested = nestedOf(schema, 'properties');
    return { ...schema, properties: { ...nested, [name]: { ...nestedOf(nested, name), ...more } } };
  };
  return {
    ...members,
    recipients: { ...recipients, maxItems: 100, ...ONCE },
    timeZone: { ...timeZone, examples: ['Asia/Kuwait', 'Asia/Dubai', 'Asia/Riyadh', 'UTC'] },
    reportFrom: { ...others['reportFrom'], format: 'date' },
    invoiceTypes: { ...others['invoiceTypes'], ...ONCE },
    invoiceStatuses: { ...others['invoiceStatuses'], ...STATUS_NUMBERS },
    charges: { ...others['charges'], ...ONCE },
    redact: { ...redact, items: { ...nestedOf(redact, 'items'), examples: knownColumnNames() } },
    refunds: inner(refunds, 'statuses', STATUS_NUMBERS),
    balance: inner(balance, 'ignore', { items: { enum: [...COMPARISONS] } }),
    alerts: { ...others['alerts'], items: { $ref: '#/definitions/rule' } },
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function nestedOf(schema: JsonSchema | undefined, keyword: string): JsonSchema {
  const nested = schema?.[keyword];
  return isSchema(nested) ? nested : {};
}

export function registryJsonSchema(): JsonSchema {
  const service = propertiesOf(serviceSchema);
  const merchant = propertiesOf(merchantSchema);
  const members = described(withChecks(merchant.properties), MERCHANT_TEXTS);
  const names = Object.keys(members);
  const referring = (wanted: readonly string[]): Properties =>
    Object.fromEntries(wanted.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const parts = {
    $schema: { description: SCHEMA_TEXT, type: 'string' },
    service: {
      description: 'The payment service.',
      ...closedObject(described(service.properties, SERVICE_TEXTS), service.required),
    },
    defaults: {
      description: 'Settings of every merchant that has none of its own.',
      ...closedObject(referring(names.filter((name) => !OWN_MEMBERS.includes(name)))),
    },
    merchants: {
      description: 'The merchants, each once.',
      type: 'array',
      maxItems: MOST_MERCHANTS,
      items: closedObject(referring(names), merchant.required),
    },
    groups: {
      description: 'Groups of merchants whose pages go to recipients of their own.',
      type: 'array',
      maxItems: MOST_GROUPS,
      items: groupJsonSchema(),
    },
  };
  return {
    $schema: DRAFT,
    title: 'The registry of Daybook',
    description: 'For which merchants Daybook works, and how. docs/registry.md says more.',
    ...closedObject(parts, ['service', 'merchants']),
    definitions: { ...members, rule: ruleJsonSchema() },
  };
}
