import { randomUUID } from 'node:crypto';

/** How an execution ended by itself. */
export type ExecutionEnd =
  { status: 'SUCCEEDED'; output?: unknown } | { status: 'FAILED'; error?: string; cause?: string };

/** What an execution reports while it runs. */
export interface ExecutionControl {
  /** Aborts when somebody stops the execution. */
  signal: AbortSignal;
  /** Reports that a Distributed Map begins. @param children how many there will be */
  mapBegins: (label: string, children: number) => MapRunControl;
}

/** What a Distributed Map reports while it runs. */
export interface MapRunControl {
  arn: string;
  childBegins: () => void;
  childEnds: (status: 'SUCCEEDED' | 'FAILED') => void;
  /** All children have ended, and the results are written. */
  ends: () => void;
}

/** Runs an execution of a state machine. */
export type StateMachineRun = (input: unknown, control: ExecutionControl) => Promise<ExecutionEnd>;

export interface StoredMapRun {
  arn: string;
  execution: StoredExecution;
  total: number;
  running: number;
  succeeded: number;
  failed: number;
  startDate: Date;
  stopDate?: Date;
}

export interface StoredExecution {
  arn: string;
  stateMachineArn: string;
  name: string;
  /** The JSON text. */
  input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  /** The JSON text. */
  output?: string;
  error?: string;
  cause?: string;
  startDate: Date;
  stopDate?: Date;
  mapRuns: StoredMapRun[];
  abort: AbortController;
}

/** The state machines, by their ARNs, and their executions since the start. */
export class ExecutionStore {
  readonly machines = new Map<string, StateMachineRun>();
  /** Oldest first. */
  readonly all: StoredExecution[] = [];
  readonly #now: () => number;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Starts an execution in the background. @param input the JSON text, which can be parsed */
  start(stateMachineArn: string, run: StateMachineRun, name: string, input: string): StoredExecution {
    const execution: StoredExecution = {
      arn: `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`,
      stateMachineArn,
      name,
      input,
      status: 'RUNNING',
      startDate: new Date(this.#now()),
      mapRuns: [],
      abort: new AbortController(),
    };
    this.all.push(execution);
    void this.#run(run, execution);
    return execution;
  }

  /** Ends the execution from outside. Does nothing to one that has ended. */
  stop(execution: StoredExecution, why: { error?: string | undefined; cause?: string | undefined }): void {
    if (execution.status !== 'RUNNING') return;
    this.#end(execution, 'ABORTED', why);
    execution.abort.abort();
  }

  /** Stops every execution, because the sandbox closes. */
  stopAll(): void {
    for (const execution of this.all) this.stop(execution, {});
  }

  async #run(run: StateMachineRun, execution: StoredExecution): Promise<void> {
    const control: ExecutionControl = {
      signal: execution.abort.signal,
      mapBegins: (label, total) => this.#beginMap(execution, label, total),
    };
    const end = await startLater(() => run(JSON.parse(execution.input), control)).catch(
      (thrown: unknown): ExecutionEnd => {
        const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
        return { status: 'FAILED', error: name, cause: message };
      },
    );
    if (execution.status !== 'RUNNING') return;
    if (end.status === 'SUCCEEDED') execution.output = JSON.stringify(end.output ?? null);
    this.#end(execution, end.status, end.status === 'FAILED' ? end : {});
  }

  #end(
    execution: StoredExecution,
    status: StoredExecution['status'],
    { error, cause }: { error?: string | undefined; cause?: string | undefined },
  ): void {
    const stopDate = new Date(this.#now());
    Object.assign(execution, {
      status,
      stopDate,
      ...(error !== undefined && { error }),
      ...(cause !== undefined && { cause }),
    });
    for (const mapRun of execution.mapRuns) mapRun.stopDate ??= stopDate;
  }

  #beginMap(execution: StoredExecution, label: string, total: number): MapRunControl {
    const machine = execution.stateMachineArn.replace(':stateMachine:', ':mapRun:');
    const mapRun: StoredMapRun = {
      arn: `${machine}/${label}:${randomUUID()}`,
      execution,
      total,
      running: 0,
      succeeded: 0,
      failed: 0,
      startDate: new Date(this.#now()),
    };
    execution.mapRuns.push(mapRun);
    return {
      arn: mapRun.arn,
      childBegins: () => {
        mapRun.running += 1;
      },
      childEnds: (status) => {
        mapRun.running -= 1;
        mapRun[status === 'SUCCEEDED' ? 'succeeded' : 'failed'] += 1;
      },
      ends: () => {
        mapRun.stopDate ??= new Date(this.#now());
      },
    };
  }
}

/** Starts after the answer to StartExecution is on its way. An error at the start is an error of the promise. */
async function startLater<T>(start: () => Promise<T>): Promise<T> {
  await Promise.resolve();
  return start();
}
