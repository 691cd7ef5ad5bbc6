import * as z from 'zod';
import { unspecified } from '#domain/records/contract-types.ts';
import type { LakeColumn, Meaning } from './lake-column.ts';
import { lakeType } from './lake-type.ts';
import type { LakeType } from './lake-type.ts';

type Schema = z.core.$ZodType;

/** A column with the schema that it was made from, and those of its members where it is an object. */
export interface SchemaColumn extends LakeColumn {
  schema: Schema;
  members: SchemaColumn[];
}

interface Source {
  meanings: Record<string, Meaning>;
  contract: string;
  /** Columns that are read otherwise than their schema says. */
  types?: Record<string, LakeType>;
}

function mayBeNull(schema: Schema): boolean {
  if (schema === unspecified) return true;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodLazy) return mayBeNull(schema.unwrap());
  // What may be left out is null to whoever queries it.
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
}

/**
 * The columns that a record's schema amounts to, in its order.
 *
 * @throws {Error} for a member without a meaning: the data dictionary has no holes
 */
export function columnsOfSchema(schema: z.ZodObject, source: Source, parent = ''): SchemaColumn[] {
  const shape: Record<string, Schema> = schema.shape;
  return Object.entries(shape).map(([member, memberSchema]) => {
    const opened = memberSchema instanceof z.ZodLazy ? memberSchema.unwrap() : memberSchema;
    const name = parent + member;
    const meaning = source.meanings[name];
    if (meaning === undefined) throw new Error(`${source.contract}: no meaning is written down for ${name}`);
    // Members of an object are columns of the views where they have meanings of their own.
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
