import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#runtime/environment.ts';
import type { DaySizes } from './sizes/day-sizes.ts';
import { S3DaySizes } from './sizes/s3-day-sizes.ts';
import type { PlanStore } from './store/plan-store.ts';
import { S3PlanStore } from './store/s3-plan-store.ts';
import { S3StatementListings } from './statements/s3-statement-listings.ts';
import type { StatementListings } from './statements/statement-listings.ts';

/** What `plan` works with. */
export interface Dependencies extends FunctionDependencies {
  registry: RegistrySource;
  /** The key of the registry, for notices. */
  registryKey: string;
  /** The origins that the registry may name. */
  serviceOrigins: readonly string[];
  plans: PlanStore;
  /** What merchants had on earlier days. */
  sizes: DaySizes;
  /** What is sealed and mailed, for statements. */
  statements: StatementListings;
}

/** Connects the function to AWS. Called once per cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'plan');
  const bucket = environment.DATA_BUCKET;
  return {
    ...shared,
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    registryKey: environment.REGISTRY_KEY,
    serviceOrigins: environment.SERVICE_ORIGINS,
    plans: new S3PlanStore(s3, bucket),
    sizes: new S3DaySizes(s3, bucket),
    statements: new S3StatementListings(s3, bucket),
  };
}
