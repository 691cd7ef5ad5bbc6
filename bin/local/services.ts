import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { functionEnvironment } from './configuration.ts';
import { NAMES } from './directory.ts';
import { functionEnvironments } from './functions/function-environments.ts';
import type { FunctionEnvironments } from './functions/function-environments.ts';
import { startSandboxes } from './sandboxes.ts';
import type { SandboxOptions, Sandboxes } from './sandboxes.ts';

/** The number of function environments at the same time. Each is a thread with the whole AWS SDK. */
const MOST_ENVIRONMENTS = 4;

type RequestListener = SandboxOptions['onRequest'];

/** The sandboxes, and the functions that work with them. */
export interface Services {
  sandboxes: Sandboxes;
  functions: FunctionEnvironments;
  /** The variables that say what the functions work with, without the SDK's own. */
  environment: Readonly<Record<string, string>>;
  /** Calls back with each request to the payment service from now on; `undefined` ends that. */
  listen: (listener: RequestListener | undefined) => void;
  /** Ends the functions, then the sandboxes. A second call does nothing. */
  close: () => Promise<void>;
}

/** Starts the sandboxes. The functions start when they are first invoked. */
export async function startServices(options: Omit<SandboxOptions, 'onRequest'>): Promise<Services> {
  const { directory, merchants } = options;
  let listener: RequestListener | undefined;
  const sandboxes = await startSandboxes({ ...options, onRequest: (request) => listener?.(request) });
  const environment = functionEnvironment(sandboxes.payments.origin);
  const functions = functionEnvironments(
    Math.min(MOST_ENVIRONMENTS, availableParallelism(), merchants),
    { ...sandboxes.aws.environment, ...environment, ...surroundings(directory) },
    join(directory, NAMES.log),
  );
  let closed: Promise<void> | undefined;
  const close = async () => {
    await functions.close();
    await sandboxes.close();
  };
  return {
    sandboxes,
    functions,
    environment,
    listen: (next) => {
      listener = next;
    },
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
