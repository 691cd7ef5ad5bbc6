import { statementsOf } from './statements.ts';
import { synthesise } from './synthesised.ts';

/**
 * The rights that a stage grants to its functions. Its type is free of CDK, so that tests which run the functions can be
 * checked without CDK.
 *
 * @param on settings that make further functions
 * @returns the statements of a function, as `statementsOf` writes them
 */
export async function grantedBy(
  stage: string,
  on: readonly 'events'[] = [],
): Promise<(functionName: string) => string[]> {
  const { template } = await synthesise(stage, (settings) => {
    if (on.includes('events')) settings.events = { webhooks: [] };
  });
  const functions = template('Functions');
  return (functionName) => statementsOf(functions, functionName);
}
