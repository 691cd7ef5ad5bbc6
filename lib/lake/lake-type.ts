import * as z from 'zod';
import { amount, date, datetime, integer, jsonNumber, texts } from '#records/rows/contract-types.ts';

/** The type of a column, in Glue's words. {@link glueType} writes out objects and lists. */
export type LakeType =
  | 'string'
  | 'bigint'
  | 'double'
  | 'boolean'
  | { list: LakeType }
  | { map: LakeType }
  | { members: LakeMember[] };

/** A member of an object. `name` is the spelling in the files. */
export interface LakeMember {
  name: string;
  type: LakeType;
}

type Schema = z.core.$ZodType;

const CONTRACT_TYPES = new Map<Schema, LakeType>([
  [integer, 'bigint'],
  [jsonNumber, 'double'],
  [amount, 'string'],
  [date, 'string'],
  [datetime, 'string'],
  [texts, { list: 'string' }],
]);

/**
 * The lake's type for a schema. Where the schema leaves the type open, it is a string: the text as sent, or the
 * JSON of an object or array. A type that is too narrow would break every query over the file.
 */
export function lakeType(schema: Schema): LakeType {
  const known = CONTRACT_TYPES.get(schema);
  if (known !== undefined) return known;
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  ) {
    return lakeType(schema.unwrap());
  }
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumberFormat) return 'bigint';
  if (schema instanceof z.ZodNumber) return 'double';
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, Schema> = schema.shape;
    return { members: Object.entries(shape).map(([name, member]) => ({ name, type: lakeType(member) })) };
  }
  if (schema instanceof z.ZodRecord) return { map: lakeType(schema.valueType) };
  if (schema instanceof z.ZodArray && !(schema.element instanceof z.ZodUnknown)) {
    return { list: lakeType(schema.element) };
  }
  return 'string';
}

/** Glue's spelling of the type. Names are in lower case, because Glue and the SerDe use lower case. */
export function glueType(type: LakeType): string {
  if (typeof type === 'string') return type;
  if ('list' in type) return `array<${glueType(type.list)}>`;
  if ('map' in type) return `map<string,${glueType(type.map)}>`;
  const members = type.members.map((member) => `${member.name.toLowerCase()}:${glueType(member.type)}`);
  return `struct<${members.join(',')}>`;
}
