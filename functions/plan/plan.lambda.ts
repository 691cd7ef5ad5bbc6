import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createPlan } from './create-plan.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() => {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const plan = createPlan(dependencies);
  return (event, context) => dependencies.telemetry.during(context, () => plan(event));
});
