import type { Environment } from '#runtime/environment.ts';
import { buildMerchantPorts } from '#dependencies/merchant-dependencies.ts';
import type { MerchantPorts } from '#dependencies/merchant-dependencies.ts';

/** What `daily-report` works with. */
export type Dependencies = MerchantPorts;

/** Wires the function to AWS; built once a cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantPorts(environment, 'daily-report');
}
