import * as z from 'zod';
import { definitionSchema } from './definition.ts';
import type { Definition } from './definition.ts';

const referenceSchema = z.union([
  z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  z.object({ 'Fn::ImportValue': z.unknown() }),
  z.object({ Ref: z.literal('AWS::Partition') }),
]);

function resolved(value: unknown, bucket: string): string {
  if (typeof value === 'string') return value;
  const reference = referenceSchema.parse(value);
  if ('Fn::Join' in reference) {
    const [separator, parts] = reference['Fn::Join'];
    return parts.map((part) => resolved(part, bucket)).join(separator);
  }
  // The only value of another stack in the definition is the data bucket's name.
  return 'Ref' in reference ? 'aws' : bucket;
}

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.object({ DefinitionString: z.unknown().optional() }).optional(),
    }),
  ),
});

/** The rendered definition of the state machine in a template of the stack Lake. @param template as JSON; @param bucket the data bucket */
export function lakeDefinition(template: unknown, bucket: string): Definition {
  const machines = Object.values(templateSchema.parse(template).Resources).filter(
    ({ Type }) => Type === 'AWS::StepFunctions::StateMachine',
  );
  const [machine] = z.tuple([templateSchema.shape.Resources.valueType]).parse(machines);
  return definitionSchema.parse(JSON.parse(resolved(machine.Properties?.DefinitionString, bucket)));
}
