import type { Template } from 'aws-cdk-lib/assertions';
import type * as z from 'zod';

/** The properties of every resource of a type, by logical id, in the shape that the schema says. */
export function propertiesOf<T>(template: Template, type: string, schema: z.ZodType<T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, resource]) => [
      id,
      schema.parse(resource['Properties']),
    ]),
  );
}
