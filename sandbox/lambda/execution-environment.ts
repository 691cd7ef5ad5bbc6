import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { clockVariables } from '../clock-variables.ts';
import { startRuntimeApi, type Outcome, type RuntimeApi } from './runtime-api.ts';

export interface DeployedFunction {
  name: string;
  /** The folder of `index.mjs`. */
  directory: string;
  environment: Record<string, string>;
  /** Milliseconds. */
  timeout: number;
  /** MiB. */
  memory: number;
  nodeOptions?: string;
}

/** Bytes. Linux gives memory in pages. */
const PAGE = 4_096;
/** How often the memory is looked at. Milliseconds. */
const LOOK = 20;

function failed(errorType: string, requestId: string, message: string): Outcome {
  return { failure: { errorType, errorMessage: `RequestId: ${requestId} Error: ${message}` } };
}

/** Bytes of memory that the process has. 0 after its end. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const pages = await readFile(`/proc/${pid ?? 0}/statm`, 'utf8').catch(() => '');
  return Number(pages.split(' ')[1] ?? 0) * PAGE;
}

/**
 * One process of a function, under Lambda's own client. As Lambda does, it ends a process that takes too long or too much
 * memory, and says of a process that died how it ended. It gives these deaths Lambda's names.
 */
class ExecutionEnvironment {
  readonly #function: DeployedFunction;
  readonly #api: RuntimeApi;
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(deployed: DeployedFunction, api: RuntimeApi, child: ChildProcess) {
    this.#function = deployed;
    this.#api = api;
    this.#process = child;
    this.#ended = once(child, 'close').then(() => api.close());
  }

  /** `client`: the program of Lambda's client. `log` takes each line that the function writes. */
  static async start(
    deployed: DeployedFunction,
    client: string,
    log: (line: string) => void,
  ): Promise<ExecutionEnvironment> {
    const api = await startRuntimeApi();
    const { name, directory, memory, environment, nodeOptions } = deployed;
    const child = spawn(process.execPath, [client], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        TMPDIR: tmpdir(),
        TZ: ':UTC',
        ...clockVariables(),
        ...environment,
        ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
        AWS_LAMBDA_LOG_STREAM_NAME: 'sandbox',
        AWS_LAMBDA_RUNTIME_API: api.address,
        LAMBDA_TASK_ROOT: directory,
        _HANDLER: 'index.handler',
      },
    });
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', log);
    return new ExecutionEnvironment(deployed, api, child);
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** One invocation. After a death, this environment is of no further use. */
  async invoke(event: unknown): Promise<Outcome> {
    const requestId = randomUUID();
    const { name, timeout, memory } = this.#function;
    let verdict: Outcome | undefined;
    const died = this.#ended.then(() => verdict ?? this.#death(requestId));
    const end = async (type: string, message: string) => {
      verdict = failed(type, requestId, message);
      await this.kill();
    };

    const notReady = await Promise.race([this.#api.notReady, this.#api.isAsked(), died]);
    if (notReady !== undefined) {
      await this.kill();
      return notReady;
    }
    const over = new AbortController();
    const { signal } = over;
    const said = this.#api.give({
      requestId,
      event,
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
      deadline: Date.now() + timeout,
    });
    const late = wait(timeout, undefined, { signal }).then(() =>
      end('Sandbox.Timedout', `Task timed out after ${(timeout / 1_000).toFixed(2)} seconds`),
    );
    const full = this.#untilFull(memory * 2 ** 20, signal).then(() =>
      end('Runtime.OutOfMemory', 'Runtime exited with error: signal: killed'),
    );
    try {
      return await Promise.race([said, died]);
    } finally {
      over.abort();
      await Promise.allSettled([late, full]);
    }
  }

  /** Ends the process at once; nothing of it runs any more. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #death(requestId: string): Outcome {
    const { exitCode, signalCode } = this.#process;
    const words: Partial<Record<NodeJS.Signals, string>> = { SIGABRT: 'aborted', SIGKILL: 'killed' };
    const how =
      signalCode === null
        ? `exit status ${exitCode ?? ''}`
        : `signal: ${words[signalCode] ?? signalCode.toLowerCase()}`;
    const message =
      exitCode === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: ${how}`;
    return failed('Runtime.ExitError', requestId, message);
  }

  async #untilFull(limit: number, over: AbortSignal): Promise<void> {
    while ((await memoryOf(this.#process)) <= limit) await wait(LOOK, undefined, { signal: over });
  }
}

/** Runs a function as Lambda does, one invocation after the other: in one process while it lives, and then in a new one. */
export class FunctionHost {
  readonly log: string[] = [];
  started = 0;
  readonly #function: DeployedFunction;
  readonly #client: string;
  #environment: ExecutionEnvironment | undefined;

  /** @param client the program of Lambda's client */
  constructor(deployed: DeployedFunction, client: string) {
    this.#function = deployed;
    this.#client = client;
  }

  async invoke(event: unknown): Promise<Outcome> {
    return (await this.#living()).invoke(event);
  }

  async close(): Promise<void> {
    await this.#environment?.kill();
    this.#environment = undefined;
  }

  async #living(): Promise<ExecutionEnvironment> {
    if (this.#environment?.hasEnded === false) return this.#environment;
    this.started += 1;
    this.#environment = await ExecutionEnvironment.start(this.#function, this.#client, (line) => {
      this.log.push(line);
    });
    return this.#environment;
  }
}
