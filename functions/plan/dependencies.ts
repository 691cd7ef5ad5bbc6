import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { lazyQueues } from '#runtime/queue-worker.ts';
import type { Queues } from '#runtime/queues.ts';
import { StatementListings } from './statements/due-statements.ts';
import { StoredSizes } from './stored-sizes.ts';
import { TickStore } from './tick-store.ts';

export interface Dependencies extends FunctionDependencies {
  environment: Environment;
  registry: RegistrySource;
  ticks: TickStore;
  queues: () => Promise<Pick<Queues, 'send'>>;
  sizes: StoredSizes;
  statements: StatementListings;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'plan');
  const { bucket } = environment.data;
  return {
    ...shared,
    environment,
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    ticks: new TickStore(s3, bucket),
    queues: lazyQueues(),
    sizes: new StoredSizes(s3, bucket),
    statements: new StatementListings(s3, bucket),
  };
}
