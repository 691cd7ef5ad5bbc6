import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createPlan } from './create-plan.ts';
import { buildDependencies } from './dependencies.ts';
import type { PlanResult } from './plan-result.ts';

export async function handler(event: unknown, context?: Context): Promise<PlanResult> {
  coldStart ??= start();
  return coldStart(event, context);
}

/** Built at the first event, so that an error in the environment is a failure of that event. */
let coldStart: ReturnType<typeof start> | undefined;
function start() {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const plan = createPlan(dependencies);

  return (event: unknown, context: Context | undefined) =>
    dependencies.telemetry.during(context, () => plan(event));
}
