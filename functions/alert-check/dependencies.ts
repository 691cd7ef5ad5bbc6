import { createS3Client } from '#aws/aws-clients.ts';
import type { Environment } from '#runtime/environment.ts';
import { S3AlertStateStore } from '#alerting/s3-alert-state-store.ts';
import type { AlertStateStore } from '#alerting/alert-state-store.ts';
import { buildMerchantPorts } from '#dependencies/merchant-dependencies.ts';
import type { MerchantPorts } from '#dependencies/merchant-dependencies.ts';

/** What `alert-check` works with. */
export interface Dependencies extends MerchantPorts {
  alertStates: AlertStateStore;
}

/** Wires the function to AWS; built once a cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  const s3 = createS3Client();
  return {
    ...buildMerchantPorts(environment, 'alert-check', s3),
    alertStates: new S3AlertStateStore(s3, environment.DATA_BUCKET),
  };
}
