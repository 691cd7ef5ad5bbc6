import { AlertStateStore } from '#alerting/alert-state-store.ts';
import { buildMerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { MerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { Environment } from '#domain/settings/environment.ts';

export interface Dependencies extends MerchantDependencies {
  alertStates: AlertStateStore;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildMerchantDependencies(environment, 'alert-check');
  return { ...shared, alertStates: new AlertStateStore(s3, environment.data.bucket) };
}
