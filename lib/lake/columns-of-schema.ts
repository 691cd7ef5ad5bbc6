import * as z from 'zod';
import { unspecified } from '#records/rows/contract-types.ts';
import type { LakeColumn, Meaning } from './lake-column.ts';
import { lakeType } from './lake-type.ts';
import type { LakeType } from './lake-type.ts';

type Schema = z.core.$ZodType;

/** A column with its schema, and with the columns of its members if it is an object. */
export interface SchemaColumn extends LakeColumn {
  schema: Schema;
  members: SchemaColumn[];
}

interface Source {
  meanings: Record<string, Meaning>;
  contract: string;
  /** Columns whose type differs from their schema. */
  types?: Record<string, LakeType>;
}

function mayBeNull(schema: Schema): boolean {
  if (schema === unspecified) return true;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodLazy) return mayBeNull(schema.unwrap());
  // An optional member is null in a query.
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
}

/**
 * The columns for a record's schema, in the schema's order.
 *
 * @throws {Error} for a member without a meaning, so that the data dictionary is complete
 */
export function columnsOfSchema(schema: z.ZodObject, source: Source, parent = ''): SchemaColumn[] {
  const shape: Record<string, Schema> = schema.shape;
  return Object.entries(shape).map(([member, memberSchema]) => {
    const opened = memberSchema instanceof z.ZodLazy ? memberSchema.unwrap() : memberSchema;
    const name = parent + member;
    const meaning = source.meanings[name];
    if (meaning === undefined) throw new Error(`${source.contract}: there is no meaning for ${name}`);
    // The members of an object become columns of the views if they have meanings.
    const described = Object.keys(source.meanings).some((path) => path.startsWith(`${name}.`));
    const members =
      described && opened instanceof z.ZodObject ? columnsOfSchema(opened, source, `${name}.`) : [];
    return {
      ...meaning,
      name,
      type: source.types?.[name] ?? lakeType(memberSchema),
      nullable: mayBeNull(memberSchema),
      contract: source.contract,
      schema: memberSchema,
      members,
    };
  });
}
