import { MEASURES } from '#alerts/rules/measures.ts';
import type { Measure } from '#alerts/rules/measures.ts';
import type { Unit } from '#records/ledger/alert-line.ts';
import { RULE_BODIES, ruleHeadSchema } from '#alerts/rules/rule.ts';
import { described, extended, propertiesOf } from './json-schema.ts';
import type { JsonSchema, Properties } from './json-schema.ts';
import { MEASURE_TEXTS, PARAMETER_TEXTS, RULE_TEXTS } from './texts.ts';

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

/** A rule with this measure. */
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

/** The JSON Schema of a rule of `alert-check`. Each measure has its own members and bounds. */
export function ruleJsonSchema(): JsonSchema {
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
