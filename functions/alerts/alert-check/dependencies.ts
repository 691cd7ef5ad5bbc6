import { AlertStateStore } from '../alert-state-store.ts';
import { buildMerchantDependencies } from '#page/page-dependencies.ts';
import type { Environment } from '#registry/environment.ts';

export type Dependencies = ReturnType<typeof buildDependencies>;

export function buildDependencies(environment: Environment) {
  const { s3, ...shared } = buildMerchantDependencies(environment, 'alert-check');
  return { ...shared, alertStates: new AlertStateStore(s3, environment.data.bucket) };
}
