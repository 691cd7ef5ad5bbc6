import { buildMerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { MerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { Environment } from '#runtime/environment.ts';

/** What `daily-report` works with. */
export type Dependencies = MerchantDependencies;

/** Wires the function to AWS; built once a cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantDependencies(environment, 'daily-report');
}
