import { buildMerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { MerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { Environment } from '#domain/settings/environment.ts';

export type Dependencies = MerchantDependencies;

export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantDependencies(environment, 'daily-report');
}
