import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { FunctionHost } from '../lambda/index.ts';
import type { DeployedFunction } from '../lambda/index.ts';
import { optionsOf } from './clients.ts';

const execute = promisify(execFile);

const functionSchema = z.object({
  Code: z.object({ Location: z.string() }),
  Configuration: z.object({
    FunctionName: z.string(),
    MemorySize: z.number(),
    Timeout: z.number(),
    Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
  }),
});

export interface DeployedFunctionsOptions {
  /** Of LocalStack. */
  url: string;
  /** The program of Lambda's client. */
  client: string;
  /** A Python, which opens the archives of the code. */
  python: string;
  /** For the code. */
  directory: string;
  /** Endpoints, region and credentials: what the functions have beside the variables that they were deployed with. */
  environment: Record<string, string>;
}

/** Runs the functions that are deployed in LocalStack, with their own code, variables, memory and time limit. */
export class DeployedFunctions {
  readonly #options: DeployedFunctionsOptions;
  readonly #lambda: LambdaClient;
  readonly #functions = new Map<string, Promise<DeployedFunction>>();
  readonly #hosts: FunctionHost[] = [];
  readonly #idle = new Map<string, FunctionHost[]>();

  constructor(options: DeployedFunctionsOptions) {
    this.#options = options;
    this.#lambda = new LambdaClient(optionsOf(options.url));
  }

  /**
   * Calls a function in a process that is free, or in a new one.
   *
   * @param arn with the version
   * @throws {Error} with the name and the message of the function's error
   */
  async invoke(arn: string, event: unknown): Promise<unknown> {
    const deployed = this.#functions.get(arn) ?? this.#fetch(arn);
    this.#functions.set(arn, deployed);
    const idle = this.#idle.get(arn) ?? [];
    this.#idle.set(arn, idle);
    const host = idle.pop() ?? this.#newHost(await deployed);
    const outcome = await host.invoke(event);
    idle.push(host);
    if ('answer' in outcome) return outcome.answer;
    const { errorType, errorMessage } = outcome.failure;
    throw Object.assign(new Error(errorMessage), { name: errorType });
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }

  #newHost(deployed: DeployedFunction): FunctionHost {
    const host = new FunctionHost(deployed, this.#options.client);
    this.#hosts.push(host);
    return host;
  }

  async #fetch(arn: string): Promise<DeployedFunction> {
    const found = await this.#lambda.send(new GetFunctionCommand({ FunctionName: arn }));
    const { Code, Configuration } = functionSchema.parse(found);
    const directory = join(this.#options.directory, Configuration.FunctionName);
    await mkdir(directory, { recursive: true });
    const zip = `${directory}.zip`;
    // The location has a name of a host that only LocalStack's own containers resolve.
    const { pathname, search } = new URL(Code.Location);
    const answer = await fetch(new URL(pathname + search, this.#options.url));
    if (!answer.ok) throw new Error(`the code of ${arn}: ${answer.status} ${await answer.text()}`);
    await writeFile(zip, await answer.bytes());
    await execute(this.#options.python, ['-m', 'zipfile', '-e', zip, directory]);
    return {
      name: Configuration.FunctionName,
      directory,
      memory: Configuration.MemorySize,
      timeout: Configuration.Timeout * 1_000,
      environment: { ...Configuration.Environment.Variables, ...this.#options.environment },
    };
  }
}
