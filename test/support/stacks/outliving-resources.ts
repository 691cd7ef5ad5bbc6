import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';

/** A resource that stays when its stack is deleted, or when a setting takes it out of its stack. */
export interface OutlivingResource {
  type: string;
  /** The name that the template gives it. Unknown: CloudFormation makes one, and a later deploy another. */
  name: string | undefined;
  /** Whether it goes when the operation that made it is undone. */
  goesWithItsCreation: boolean;
}

const resourcesSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.string().default('Delete'),
      Properties: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

/** Versions go with the function that they belong to. */
const VERSION = 'AWS::Lambda::Version';

/** A name that the template writes: text, or text joined with something. A reference is the name of something else. */
function isFixedName([property, value]: [string, unknown]): boolean {
  if (!/(?:^|[a-z])Name$/.test(property)) return false;
  return typeof value === 'string' || /"Fn::(?:Join|Sub)"/.test(JSON.stringify(value));
}

/** What stays of a template's resources when the stack goes. */
export function outlivingResources(template: Template): OutlivingResource[] {
  return Object.values(resourcesSchema.parse(template.toJSON()).Resources)
    .filter(({ Type, DeletionPolicy }) => DeletionPolicy !== 'Delete' && Type !== VERSION)
    .map(({ Type, DeletionPolicy, Properties }) => {
      const name = Object.entries(Properties).find(isFixedName)?.[1];
      return {
        type: Type,
        name: name === undefined || typeof name === 'string' ? name : JSON.stringify(name),
        goesWithItsCreation: DeletionPolicy === 'RetainExceptOnCreate',
      };
    });
}
