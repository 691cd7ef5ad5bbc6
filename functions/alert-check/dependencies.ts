import { createS3Client } from '../shared/adapters/aws-clients.ts';
import type { Environment } from '../shared/adapters/environment.ts';
import { S3AlertStateStore } from '../shared/adapters/s3-alert-state-store.ts';
import type { AlertStateStore } from '../shared/ports.ts';
import { buildMerchantPorts } from '../shared/wiring/merchant-ports.ts';
import type { MerchantPorts } from '../shared/wiring/merchant-ports.ts';

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
