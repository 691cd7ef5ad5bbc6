import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { DaySizes } from './sizes/day-sizes.ts';
import { PlanStore } from './store/plan-store.ts';
import { StatementListings } from './statements/statement-listings.ts';

export interface Dependencies extends FunctionDependencies {
  registry: RegistrySource;
  registryKey: string;
  serviceOrigins: readonly string[];
  plans: PlanStore;
  sizes: DaySizes;
  statements: StatementListings;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'plan');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    registryKey: environment.registry.key,
    serviceOrigins: environment.service.origins,
    plans: new PlanStore(s3, bucket),
    sizes: new DaySizes(s3, bucket),
    statements: new StatementListings(s3, bucket),
  };
}
