import type { Environment } from '../shared/adapters/environment.ts';
import { buildMerchantPorts } from '../shared/wiring/merchant-ports.ts';
import type { MerchantPorts } from '../shared/wiring/merchant-ports.ts';

/** What `daily-report` works with. */
export type Dependencies = MerchantPorts;

/** Wires the function to AWS; built once a cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantPorts(environment, 'daily-report');
}
