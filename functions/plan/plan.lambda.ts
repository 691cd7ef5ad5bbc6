import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createPlan } from './create-plan.ts';
import { buildDependencies } from './dependencies.ts';
import type { PlanResult } from './plan-result.ts';

/** What AWS calls. */
export async function handler(event: unknown, context?: Context): Promise<PlanResult> {
  coldStart ??= start();
  return coldStart(event, context);
}

/** What a cold start builds; at the first event, so that an error in the environment is that event's failure. */
let coldStart: ReturnType<typeof start> | undefined;
function start() {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const plan = createPlan(dependencies);

  /** What every event does. */
  return (event: unknown, context: Context | undefined) =>
    dependencies.telemetry.during(context, () => plan(event));
}
