import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { PaymentsSandbox, RecordedRequest } from '#sandbox/payments/index.ts';
import {
  BUCKET,
  REGISTRY_KEY,
  SECRET,
  credentialsText,
  merchantCodes,
  registryText,
  secretText,
} from './configuration.ts';
import { WATCHED } from './demonstration/watched-merchant.ts';
import { NAMES } from './directory.ts';
import { NEW_MERCHANT, localMerchants } from './merchants.ts';

/**
 * Both sandboxes, with secret and registry. The registry contains the merchants of this run and of earlier runs, and the
 * merchant of the demonstration, whether the demonstration runs or not.
 */
export interface Sandboxes {
  aws: AwsSandbox;
  payments: PaymentsSandbox;
  close: () => Promise<void>;
}

/** How to start the sandboxes. */
export interface SandboxOptions {
  directory: string;
  merchants: number;
  /** Milliseconds before every answer of the payment service. */
  latency: number;
  onRequest: (request: RecordedRequest) => void;
  /** Starts the services that only an operator's command calls, too. */
  operator?: boolean;
}

/** Starts both on free ports of 127.0.0.1, with the data that earlier runs left in the directory. */
export async function startSandboxes(options: SandboxOptions): Promise<Sandboxes> {
  const { directory, latency, onRequest, operator = false } = options;
  const merchants = [...localMerchants(options.merchants), WATCHED];
  // This comes first: its file marks the directory as one of a local run.
  const payments = await startPaymentsSandbox({
    database: join(directory, NAMES.payments),
    merchants: [...merchants, NEW_MERCHANT].map(({ account }) => account),
    behaviour: { latencyMilliseconds: latency },
    onRequest,
  });
  try {
    const aws = await startAwsSandbox({ directory, operator });
    // A registry that loses merchants raises an alarm, as it should. So the merchants of an earlier, larger run stay in it.
    const standing = await aws.s3.read(BUCKET, REGISTRY_KEY);
    const others = new Set(merchantCodes(standing?.toString('utf8')));
    others.delete(WATCHED.account.merchantCode);
    // A person may have added it.
    const added = others.delete(NEW_MERCHANT.account.merchantCode) ? [NEW_MERCHANT] : [];
    aws.secrets.put(SECRET, secretText([...merchants, ...added]));
    const registered = [...localMerchants(Math.max(options.merchants, others.size)), WATCHED, ...added];
    await writeFile(join(directory, NAMES.newMerchant), credentialsText(NEW_MERCHANT));
    await aws.s3.write(BUCKET, REGISTRY_KEY, registryText(registered, payments.origin));
    const close = async () => {
      await Promise.all([aws.close(), payments.close()]);
    };
    return { aws, payments, close };
  } catch (error) {
    await payments.close();
    throw error;
  }
}
