import * as z from 'zod';
import {
  amount,
  date,
  datetime,
  integer,
  jsonNumber,
  texts,
  unspecified,
} from '#records/rows/contract-types.ts';

export interface Meaning {
  meaning: string;
  /** Unit or format, such as "day" or "amount of the merchant's currency". Not set for plain text. */
  unit?: string;
  /** Whether it may hold a person's data. Most analysts never see such columns. Not set if it cannot. */
  personal?: boolean;
}

/** @param text with the unit or format in brackets at its end, such as `When the pull began. [ISO 8601, UTC]` */
export function meaningOf(text: string): Meaning {
  const [, meaning = text, unit] = /^(.+?)(?: \[([^[]+)\])?$/.exec(text) ?? [];
  return { meaning, ...(unit !== undefined && { unit }) };
}

/** A column of a table, or a member of an object in a column (then with its path, such as `transaction.Auth`). */
export interface LakeColumn extends Meaning {
  /** The spelling in the files. Glue and SQL use lower case. */
  name: string;
  type: LakeType;
  nullable: boolean;
  /** Those members of an object that have a meaning of their own. */
  members?: readonly LakeColumn[];
}

export function sqlName(column: Pick<LakeColumn, 'name'>): string {
  return column.name.toLowerCase();
}

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
function lakeType(schema: Schema): LakeType {
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

/** A column with its schema, and with the columns of its members if it is an object. */
export interface SchemaColumn extends LakeColumn {
  schema: Schema;
  members: SchemaColumn[];
}

function mayBeNull(schema: Schema): boolean {
  if (schema === unspecified) return true;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodLazy) return mayBeNull(schema.unwrap());
  // An optional member is null in a query.
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
}

/**
 * The columns for a record's schema, in the schema's order.
 * @param meanings the text of {@link meaningOf} by path; @param types of columns whose type differs from their schema
 * @throws {Error} for a member without a meaning, so that the data dictionary is complete
 */
export function columnsOfSchema(
  schema: z.ZodObject,
  meanings: Record<string, string>,
  types: Record<string, LakeType> = {},
  parent = '',
): SchemaColumn[] {
  const shape: Record<string, Schema> = schema.shape;
  return Object.entries(shape).map(([member, memberSchema]) => {
    const opened = memberSchema instanceof z.ZodLazy ? memberSchema.unwrap() : memberSchema;
    const name = parent + member;
    const text = meanings[name];
    if (text === undefined) throw new Error(`there is no meaning for ${name}`);
    // The members of an object become columns of the views if they have meanings.
    const described = Object.keys(meanings).some((path) => path.startsWith(`${name}.`));
    return {
      ...meaningOf(text),
      name,
      type: types[name] ?? lakeType(memberSchema),
      nullable: mayBeNull(memberSchema),
      schema: memberSchema,
      members:
        described && opened instanceof z.ZodObject
          ? columnsOfSchema(opened, meanings, types, `${name}.`)
          : [],
    };
  });
}
