import { jsonAnswer, ServiceError, type Answer, type Service } from '../service.ts';
import { restJsonService, type RestRequest } from '../json-target.ts';

export interface SandboxFunction {
  /** The variables that GetFunctionConfiguration shows. */
  environment?: Record<string, string>;
  /** Runs the function. An error that it throws is the function's own error. */
  invoke: (event: unknown) => Promise<unknown>;
}

interface StoredFunction extends SandboxFunction {
  name: string;
}

export class FunctionStore {
  readonly #functions = new Map<string, StoredFunction>();
  /** How many invocations the account allows at the same time. */
  concurrentExecutions = 1_000;

  add(name: string, definition: SandboxFunction): void {
    this.#functions.set(name, { ...definition, name });
  }

  /** Finds a function by its name, with an alias or without. */
  find(name: string): StoredFunction | undefined {
    return this.#functions.get(name.replace(/:.*$/, ''));
  }
}

/** Lambda: Invoke with an answer, GetFunctionConfiguration and GetAccountSettings. */
export function lambdaService(functions: FunctionStore): Service {
  return restJsonService('lambda', {
    Invoke: ['POST', '/2015-03-31/functions/{}/invocations', (request) => invoke(functions, request)],
    GetFunctionConfiguration: [
      'GET',
      '/2015-03-31/functions/{}/configuration',
      (request) => configuration(found(functions, request)),
    ],
    GetAccountSettings: [
      'GET',
      '/2016-08-19/account-settings',
      () =>
        jsonAnswer({
          AccountLimit: {
            ConcurrentExecutions: functions.concurrentExecutions,
            UnreservedConcurrentExecutions: functions.concurrentExecutions,
          },
        }),
    ],
  });
}

async function invoke(functions: FunctionStore, request: RestRequest): Promise<Answer> {
  const called = found(functions, request);
  const way = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (way !== 'RequestResponse') {
    throw new ServiceError(
      400,
      'InvalidParameterValueException',
      `The sandbox only has RequestResponse, not ${String(way)}.`,
    );
  }
  const event = eventOf(request.body);
  try {
    return jsonAnswer((await called.invoke(event)) ?? null);
  } catch (thrown) {
    const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return jsonAnswer({ errorType: name, errorMessage: message, trace: [] }, 'application/json', {
      headers: { 'x-amz-function-error': 'Unhandled' },
    });
  }
}

function eventOf(body: string): unknown {
  try {
    // The service gives an invocation without a payload an empty event.
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new ServiceError(
      400,
      'InvalidRequestContentException',
      'Could not parse request body into json: the payload is not JSON.',
    );
  }
}

function configuration({ name, environment = {} }: StoredFunction): Answer {
  return jsonAnswer({
    FunctionName: name,
    FunctionArn: arnOf(name),
    LastUpdateStatus: 'Successful',
    Environment: { Variables: environment },
  });
}

function found(functions: FunctionStore, { path: [name = ''] }: RestRequest): StoredFunction {
  const stored = functions.find(name);
  if (stored !== undefined) return stored;
  throw new ServiceError(404, 'ResourceNotFoundException', `Function not found: ${arnOf(name)}`);
}

function arnOf(name: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
}
