import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as eventschemas from 'aws-cdk-lib/aws-eventschemas';
import type { Construct } from 'constructs';
import type { DaybookFunction } from './constructs/daybook-function.ts';

export interface ConsoleStackProps extends StackProps {
  functions: readonly DaybookFunction[];
  /** Whether this stage owns the registry. Otherwise it exists already. */
  createRegistry: boolean;
}

/** One folder per function, one file per event. The console lists the file's name. */
export const EVENTS = resolve(import.meta.dirname, '../events');

/** Lambda's console looks for shareable events under this name. An account and region has one such registry. */
const REGISTRY = 'lambda-testevent-schemas';

/** The events of a function by name, as the files contain them. */
export function sampleEvents(functionName: string): Record<string, unknown> {
  const folder = join(EVENTS, functionName);
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((file) => {
        const event: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
        return [basename(file, '.json'), event];
      }),
  );
}

/** An example of a schema in the form that the console reads. */
function schemaOf(functionName: string): string {
  const examples = Object.entries(sampleEvents(functionName)).map(
    ([name, value]) => [name, { value }] as const,
  );
  return JSON.stringify({
    openapi: '3.0.0',
    info: { version: '1.0.0', title: 'Event' },
    paths: {},
    components: { schemas: { Event: { type: 'object' } }, examples: Object.fromEntries(examples) },
  });
}

/** Everyone who may invoke a function by hand finds the usual events under "Test" in Lambda's console. */
export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { functions, createRegistry, ...props }: ConsoleStackProps) {
    super(scope, id, props);
    const registry = createRegistry
      ? new eventschemas.CfnRegistry(this, 'TestEvents', {
          registryName: REGISTRY,
          description: 'Shareable test events of Lambda functions',
        })
      : undefined;
    // The registry may also contain events of other functions of the account.
    registry?.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    for (const { name, functionName } of functions) {
      const schema = new eventschemas.CfnSchema(this, name, {
        registryName: REGISTRY,
        schemaName: `_${functionName}-schema`,
        description: `Events of ${name}`,
        type: 'OpenApi3',
        content: schemaOf(name),
      });
      if (registry !== undefined) schema.addResourceDependency(registry);
    }
  }
}
