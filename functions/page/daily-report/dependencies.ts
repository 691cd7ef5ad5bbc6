import { buildMerchantDependencies, type MerchantDependencies } from '../page-dependencies.ts';
import type { Environment } from '#registry/environment.ts';

export type Dependencies = MerchantDependencies;

export function buildDependencies(environment: Environment): Dependencies {
  return buildMerchantDependencies(environment, 'daily-report');
}
