import type { AlertStateStore } from '#alerting/alert-state-store.ts';
import { S3AlertStateStore } from '#alerting/s3-alert-state-store.ts';
import { buildMerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { MerchantDependencies } from '#dependencies/merchant-dependencies.ts';
import type { Environment } from '#runtime/environment.ts';

export interface Dependencies extends MerchantDependencies {
  alertStates: AlertStateStore;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildMerchantDependencies(environment, 'alert-check');
  return { ...shared, alertStates: new S3AlertStateStore(s3, environment.DATA_BUCKET) };
}
