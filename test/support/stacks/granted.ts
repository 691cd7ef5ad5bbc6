import { statementsOf } from './statements.ts';
import { synthesise } from './synthesised.ts';

/**
 * The rights that a stage grants to its functions. Its type is free of CDK, so that tests which run the functions can be
 * checked without CDK.
 *
 * @returns the statements of a function, as `statementsOf` writes them
 */
export async function grantedBy(stage: string): Promise<(functionName: string) => string[]> {
  const functions = (await synthesise(stage)).template('Functions');
  return (functionName) => statementsOf(functions, functionName);
}
