import { statementsOf } from './statements.ts';
import { synthesise } from './synthesised.ts';

/**
 * The rights that a stage grants to its functions. Its type is free of CDK, so that tests which run the functions can be
 * checked without CDK.
 *
 * @param changes of the stage's settings
 * @returns the statements of a function, as `statementsOf` writes them
 */
export async function grantedBy(
  stage: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<(functionName: string) => string[]> {
  const { template } = await synthesise(stage, (settings) => {
    Object.assign(settings, changes);
  });
  return (functionName) => statementsOf(template('Functions'), functionName);
}
