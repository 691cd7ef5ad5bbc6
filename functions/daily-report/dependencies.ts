import { buildMerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { MerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { Environment } from '#domain/settings/environment.ts';

/** What `daily-report` works with. */
export type Dependencies = MerchantDependencies;

/** Connects the function to AWS. Called once per cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantDependencies(environment, 'daily-report');
}
