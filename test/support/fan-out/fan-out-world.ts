import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies as buildAlertCheck } from '#alerts/alert-check/dependencies.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies } from '#functions/plan/dependencies.ts';
import { createStatement } from '#page/statement/create-statement.ts';
import { buildDependencies as buildStatement } from '#page/statement/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import type { FanOutKind } from '#lib/functions.ts';
import { BUCKET, DaybookWorld } from '../world/daybook-world.ts';
import type { WorldOptions } from '../world/daybook-world.ts';
import { fanOutDefinition } from '#sandbox/step-functions/fan-out-definition.ts';
import type { FanOutChanges } from '#sandbox/step-functions/fan-out-definition.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { runFanOut } from '#sandbox/step-functions/run-fan-out.ts';
import type { Call, Execution } from '#sandbox/step-functions/execution.ts';
import { defined } from '#support/assertions/defined.ts';

/** The rendered state machine over the real functions, on the sandboxes. */
export interface RunningFanOut {
  world: DaybookWorld;
  /** Starts an execution and waits for its end. */
  start: (
    event: Record<string, unknown>,
    before?: (call: Call) => Promise<void> | void,
  ) => Promise<Execution>;
  /** Kind, merchant or group, and day or period of each mail, sorted. */
  mailed: () => string[];
}

const rendered = new Map<string, Definition>();

/** Rendered once, because making a stack takes longer than testing it. */
function rendering(kind: FanOutKind, changes: FanOutChanges): Definition {
  const name = JSON.stringify([kind, changes]);
  const definition = rendered.get(name) ?? fanOutDefinition(kind, changes);
  rendered.set(name, definition);
  return definition;
}

/** The functions of both kinds as a cold start builds them, on the clock of the world. */
function functionsOf(world: DaybookWorld): Record<string, (event: unknown) => Promise<unknown>> {
  const environment = readEnvironment(process.env);
  const planning = buildDependencies(environment);
  const plan = createPlan({ ...planning, clock: world.clock });
  const checking = buildAlertCheck(environment);
  const stating = buildStatement(environment);
  return {
    plan: (event) => planning.telemetry.during(undefined, () => plan(event)),
    dailyreport: world.coldStart(),
    dailyreportbatch: world.coldStart(),
    dailyreportlarge: world.coldStart(),
    alertcheck: createAlertCheck({ ...checking, clock: world.clock }),
    statement: createStatement({ ...stating, clock: world.clock }),
  };
}

export async function startFanOut(
  kind: FanOutKind,
  options: WorldOptions,
  changes: FanOutChanges = {},
): Promise<RunningFanOut> {
  const world = await DaybookWorld.start(options);
  const definition = rendering(kind, changes);
  const functions = functionsOf(world);
  return {
    world,
    start: (event, before) =>
      runFanOut(definition, event, {
        read: (key) => world.text(key),
        write: (key, text) => world.aws.s3.write(BUCKET, key, text),
        invoke: async (call) => {
          await before?.(call);
          return defined(functions[call.functionName], call.functionName)(call.event);
        },
      }),
    mailed: () =>
      world
        .mails()
        .map(
          ({ tags }) =>
            `${defined(tags['kind'], 'the kind of a mail')} ${defined(tags['merchant'] ?? tags['group'], 'whose mail it is')} ${tags['day'] ?? tags['period'] ?? ''}`,
        )
        .sort(),
  };
}
