import * as z from 'zod';

export interface JsonSchema {
  [keyword: string]: unknown;
}

export type Properties = Record<string, JsonSchema>;

/** The version that editors support best. */
export const DRAFT = 'http://json-schema.org/draft-07/schema#';

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});

/** Not every validator reads patterns as Unicode, where `\p{…}` has its meaning. */
const UNICODE_CLASSES: readonly [string, string][] = [
  ['\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f'],
  ['\\p{Cf}', '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff'],
];

/** A text that no pattern of a setting accepts. It makes a schema say what it expects. */
const REFUSED = '\u0001';

function patternMessage(schema: z.core.$ZodType): string | undefined {
  const { error } = z.core.safeParse(schema, REFUSED);
  const message = error?.issues.find((issue) => issue.code === 'invalid_format')?.message;
  return message?.startsWith('Invalid') === false ? message : undefined;
}

/** Checks that JSON Schema cannot express are left out. Editors show the messages of patterns. */
export function propertiesOf(schema: z.core.$ZodType): { properties: Properties; required: string[] } {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The longest patterns say nothing to people, and these formats say it all.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Every object may have these names.
      if (jsonSchema.propertyNames !== undefined) delete jsonSchema.propertyNames;
      if (jsonSchema.pattern !== undefined) {
        for (const [name, characters] of UNICODE_CLASSES) {
          jsonSchema.pattern = jsonSchema.pattern.replaceAll(name, characters);
        }
        const message = patternMessage(zodSchema);
        if (message !== undefined) Object.assign(jsonSchema, { patternErrorMessage: message });
      }
      if (jsonSchema.type === 'object' && jsonSchema.properties !== undefined) {
        jsonSchema.additionalProperties = false;
        delete jsonSchema.default;
      }
    },
  });
  return objectSchema.parse(json);
}

/** An object that has no other members. @param more what it must have besides */
export function closedObject(
  properties: Properties,
  required: string[] = [],
  more: JsonSchema = {},
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...more,
    additionalProperties: false,
  };
}

/** What each member is for. A text, or the text of an object and those of its members. */
export interface Texts {
  readonly [member: string]: string | { readonly is: string; readonly members: Texts };
}

const nestedSchema = z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) });
const orNullSchema = z.object({
  anyOf: z.tuple([nestedSchema.loose(), z.object({ type: z.literal('null') })]),
});

/** An object's schema with descriptions of its members. The object may also be `null`. */
function describedObject(schema: JsonSchema, texts: Texts): JsonSchema {
  const orNull = orNullSchema.safeParse(schema);
  if (orNull.success) {
    const [object, none] = orNull.data.anyOf;
    return { ...schema, anyOf: [describedObject(object, texts), none] };
  }
  return { ...schema, properties: described(nestedSchema.parse(schema).properties, texts) };
}

/** @throws {Error} when a member has no description, or a description has no member */
export function described(properties: Properties, texts: Texts): Properties {
  const strangers = Object.keys(texts).filter((name) => !Object.hasOwn(properties, name));
  if (strangers.length > 0) throw new Error(`no schema has the member ${strangers.join(', ')}`);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const text = texts[name];
      if (text === undefined) throw new Error(`the member ${name} has no description`);
      if (typeof text === 'string') return [name, { description: text, ...schema }];
      return [name, { description: text.is, ...describedObject(schema, text.members) }];
    }),
  );
}
