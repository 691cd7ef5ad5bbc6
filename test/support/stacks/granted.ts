import { statementsOf } from './statements.ts';
import { synthesise } from './synthesised.ts';

/**
 * The rights that a stage with all its settings on grants to its functions. Its type is free of CDK, so that tests which run the functions can be
 * checked without CDK.
 *
 * @returns the statements of a function, as `statementsOf` writes them
 */
export async function grantedBy(stage: string): Promise<(functionName: string) => string[]> {
  const { template } = await synthesise(stage, (settings) => {
    settings.proofs = true;
  });
  return (functionName) =>
    statementsOf(template(functionName === 'prove' ? 'Proofs' : 'Functions'), functionName);
}
