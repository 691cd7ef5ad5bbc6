import type * as z from 'zod';
import { defined } from '#support/assertions/defined.ts';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema as one of zod's own classes, which its type tells apart by `def.type`. */
function known(schema: z.core.$ZodType): z.core.$ZodTypes {
  if (!isOwn(schema)) throw new Error('the schema has no type');
  return schema;
}

function isOwn(schema: z.core.$ZodType): schema is z.core.$ZodTypes {
  return typeof schema._zod.def.type === 'string';
}

/**
 * Where an example has other members than its schema, in either direction. Types of values are not compared: the schema
 * itself does that. A list of objects that is empty, and a null in an object's place, show nothing, and are faults.
 *
 * @param path of the example, for the words of a fault
 */
export function shapeFaults(schema: z.core.$ZodType, example: unknown, path: string): string[] {
  const { def } = known(schema)._zod;
  switch (def.type) {
    case 'lazy':
      return shapeFaults(def.getter(), example, path);
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
      return shapeFaults(def.innerType, example, path);
    case 'pipe':
      return shapeFaults(def.in, example, path);
    case 'array':
      if (!Array.isArray(example)) return [`${path} is no list`];
      // In an empty list all members of an entry are missing.
      return (example.length === 0 ? [{}] : example).flatMap((entry, index) =>
        shapeFaults(def.element, entry, `${path}[${index}]`),
      );
    case 'record':
      if (!isObject(example)) return [`${path} is no object`];
      return Object.entries(example).flatMap(([name, entry]) =>
        shapeFaults(def.valueType, entry, `${path}.${name}`),
      );
    case 'object': {
      if (!isObject(example)) return [`${path} is no object`];
      const names = Object.keys(def.shape);
      return [
        ...names.flatMap((name) =>
          name in example
            ? shapeFaults(defined(def.shape[name]), example[name], `${path}.${name}`)
            : [`${path}.${name} is not in the example`],
        ),
        ...Object.keys(example)
          .filter((name) => !names.includes(name))
          .map((name) => `${path}.${name} is not in the code`),
      ];
    }
    default:
      return [];
  }
}
