import { ExecutionEnvironment } from './execution-environment.ts';
import type { DeployedFunction } from './execution-environment.ts';
import type { Outcome } from './runtime-api.ts';

/** Runs a function as Lambda does, one invocation after the other: in one process while it lives, and then in a new one. */
export class FunctionHost {
  /** Each line that the function has written. */
  readonly log: string[] = [];
  /** How many processes were started. */
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
