import * as z from 'zod';
import { statementMessageSchema } from '#page/queue-message.ts';
import type { StatementMessage } from '#page/queue-message.ts';
import { ROUNDS } from '#lib/constructs/merchant-fan-out-definition.ts';
import { STATEMENT_LABELS } from '#lib/constructs/statement-steps.ts';
import type { FanOutKind, FunctionName } from '#lib/functions.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { fanOutDefinition } from '#sandbox/step-functions/fan-out-definition.ts';
import { runFanOut } from '#sandbox/step-functions/run-fan-out.ts';
import type { Call, Execution } from '#sandbox/step-functions/execution.ts';
import type { EnvironmentPool } from '../environments/pool.ts';
import type { World } from '../world.ts';
import type { Invoker } from './invoker.ts';

/** The input of an execution: an event of `plan`. */
export type PlanEvent = { kind: FanOutKind } & ({ scheduledTime: string } | { failedOf: string[] });

/** As the definition's ARNs name them. */
const FUNCTIONS: Record<string, FunctionName> = {
  plan: 'plan',
  dailyreport: 'daily-report',
  dailyreportbatch: 'daily-report',
  dailyreportlarge: 'daily-report',
  alertcheck: 'alert-check',
  statement: 'statement',
};

/** The second round comes when all others are done, which takes minutes. Milliseconds. */
const BETWEEN_ROUNDS = 3 * 60_000;

/** The labels of the rounds of the statements. They come after those of the reports. */
const OF_STATEMENTS: readonly string[] = STATEMENT_LABELS;

const wordsSchema = z
  .object({
    kind: z.string(),
    merchantCode: z.string(),
    group: z.string(),
    day: z.string(),
    period: z.string(),
  })
  .partial();
const batchSchema = z.object({ Items: z.array(statementMessageSchema) });

/** Step Functions: executes the rendered machines, with the functions as they are built. */
export class Executions {
  readonly #definitions: Record<FanOutKind, Definition> = {
    daily: fanOutDefinition('daily'),
    alert: fanOutDefinition('alert'),
  };
  readonly #world: World;
  readonly #pool: EnvironmentPool;
  readonly #invoker: Invoker;

  constructor(world: World, pool: EnvironmentPool, invoker: Invoker) {
    this.#world = world;
    this.#pool = pool;
    this.#invoker = invoker;
  }

  /** @param tick the name of the execution's tick */
  execute(event: PlanEvent, tick: string): Promise<Execution> {
    const world = this.#world;
    return runFanOut(this.#definitions[event.kind], event, {
      read: async (key) => (await world.object(key)).toString('utf8'),
      write: (key, text) => world.putObject(key, text),
      invoke: async (call) => {
        if (beginsSecondRound(call)) await this.#pool.whenIdle(() => world.clock.pass(BETWEEN_ROUNDS));
        const functionName = FUNCTIONS[call.functionName];
        if (functionName === undefined) throw new RangeError(`no function ${call.functionName}`);
        return this.#invoker.invoke(functionName, call.event, identityOf(call, tick));
      },
    });
  }

  /** A person invokes `statement` with an item that failed. */
  state(item: StatementMessage, tick: string): Promise<unknown> {
    const event = { ...item };
    return this.#invoker.invoke('statement', item, identityOf({ functionName: 'statement', event }, tick));
  }
}

function beginsSecondRound({ event }: Call): boolean {
  return 'failedOf' in event && !('of' in event);
}

/** The part of a call that is the same in every run. Keys of results differ between runs. */
function identityOf({ event }: Call, tick: string): string {
  const { kind = '', merchantCode, group = '', day, period = '' } = wordsSchema.parse(event);
  return [tick, kind, merchantCode ?? group, day ?? period, 'failedOf' in event ? 'failed' : ''].join(' ');
}

/** The event that repeats the failed reports or checks of an execution; `undefined` if there are none. */
export function leftUndone(event: PlanEvent, { status, mapRuns }: Execution): PlanEvent | undefined {
  const rounds = mapRuns.filter(({ label }) => !OF_STATEMENTS.includes(label));
  if (rounds.length === 0) return status === 'FAILED' ? event : undefined;
  const second = rounds.filter(({ label }) => label === ROUNDS.second.label);
  const last = second.length > 0 ? second : rounds;
  const anyFailed = last.some(({ children }) => children.some((child) => child.status === 'FAILED'));
  return anyFailed ? { kind: event.kind, failedOf: last.map(({ manifestKey }) => manifestKey) } : undefined;
}

/** The statements and pages that failed in both of their rounds. */
export function failedStatements({ mapRuns }: Execution): StatementMessage[] {
  const last = mapRuns.findLast(({ label }) => OF_STATEMENTS.includes(label));
  const failed = last?.children.filter(({ status }) => status === 'FAILED') ?? [];
  return failed.flatMap(({ input }) => batchSchema.parse(input).Items);
}
