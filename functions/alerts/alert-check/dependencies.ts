import { AlertStateStore } from '../alert-state-store.ts';
import { buildMerchantDependencies } from '#page/page-dependencies.ts';
import type { MerchantDependencies } from '#page/page-dependencies.ts';
import type { Environment } from '#registry/environment.ts';

export interface Dependencies extends MerchantDependencies {
  alertStates: AlertStateStore;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildMerchantDependencies(environment, 'alert-check');
  return { ...shared, alertStates: new AlertStateStore(s3, environment.data.bucket) };
}
