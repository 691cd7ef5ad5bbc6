import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  functionEnvironment,
  BUCKET,
  REGISTRY_KEY,
  SECRET,
  credentialsText,
  registryText,
  secretText,
} from './configuration.ts';
import { NAMES } from './directory.ts';
import { registryCopy } from '#registry/registry-choice.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { codesInEntries } from '#registry/registry.ts';
import { isAnnounced } from '#lib/functions.ts';
import { functionEnvironments, type FunctionEnvironments } from './functions/function-environments.ts';
import { writeFile } from 'node:fs/promises';
import { startAwsSandbox, type EventBus } from '#sandbox/aws/index.ts';
import { startPaymentsSandbox, type RecordedRequest } from '#sandbox/payments/index.ts';
import { NEW_MERCHANT, WATCHED, localMerchants } from './merchants.ts';

export type Sandboxes = Awaited<ReturnType<typeof startSandboxes>>;

interface SandboxOptions {
  directory: string;
  merchants: number;
  /** Milliseconds before every answer of the payment service. */
  latency: number;
  onRequest: (request: RecordedRequest) => void;
  /** Starts the services that only an operator's command calls, too. */
  operator?: boolean;
}

/**
 * Starts both on free ports of 127.0.0.1, with the data that earlier runs left in the directory. The registry contains the
 * merchants of this run and of earlier runs, and the merchant of the demonstration, whether the demonstration runs or not.
 */
export async function startSandboxes(options: SandboxOptions) {
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
    const { content: known } = registryCopy('', null, standing?.toString('utf8'));
    const others = known instanceof RegistryError ? new Set<string>() : codesInEntries(known);
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

/** Up to three times, as Lambda calls a function with an event whose sender does not wait. The log of the functions has the errors. */
async function announce(functions: FunctionEnvironments, event: object, calls = 3): Promise<void> {
  await functions.invoke('announce', event).catch(async () => {
    if (calls > 1) await announce(functions, event, calls - 1);
  });
}

/** From now on `announce` gets each object that says something. Resolves when it knows all objects there are. */
function announceObjects(bus: EventBus, functions: FunctionEnvironments): () => Promise<void> {
  const calls = new Set<Promise<void>>();
  bus.onObject = (event, key) => {
    if (!isAnnounced(key)) return;
    const call = announce(functions, event).finally(() => calls.delete(call));
    calls.add(call);
  };
  return async () => {
    while (calls.size > 0) await Promise.all(calls);
  };
}

/** The number of function environments at the same time. Each is a thread with the whole AWS SDK. */
const MOST_ENVIRONMENTS = 4;

export type Services = Awaited<ReturnType<typeof startServices>>;

/** Starts the sandboxes. The functions start when they are first invoked. */
export async function startServices(options: Omit<SandboxOptions, 'onRequest'>) {
  const { directory, merchants } = options;
  let listener: SandboxOptions['onRequest'] | undefined;
  const sandboxes = await startSandboxes({ ...options, onRequest: (request) => listener?.(request) });
  const environment = functionEnvironment(sandboxes.payments.origin);
  const functions = functionEnvironments(
    Math.min(MOST_ENVIRONMENTS, availableParallelism(), merchants),
    { ...sandboxes.aws.environment, ...environment, ...surroundings(directory) },
    join(directory, NAMES.log),
  );
  const announced = announceObjects(sandboxes.aws.bus, functions);
  let closed: Promise<void> | undefined;
  const close = async () => {
    await functions.close();
    await sandboxes.close();
  };
  return {
    sandboxes,
    functions,
    /** Resolves when the events of all objects are on the bus. */
    announced,
    /** The variables that say what the functions work with, without the SDK's own. */
    environment,
    /** Calls back with each request to the payment service from now on; `undefined` ends that. */
    listen: (next: typeof listener) => {
      listener = next;
    },
    /** Ends the functions, then the sandboxes. A second call does nothing. */
    close: () => (closed ??= close()),
  };
}

/** The functions see few of the machine's variables: where temporary files go, and nothing that could lead to an account. */
function surroundings(directory: string): Record<string, string> {
  const nowhere = join(directory, NAMES.temporary, 'none');
  return {
    TMPDIR: join(directory, NAMES.temporary),
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}
