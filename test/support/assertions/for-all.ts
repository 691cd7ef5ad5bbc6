import * as fc from 'fast-check';

export { fc };

type Arbitraries<Values> = { [At in keyof Values]: fc.Arbitrary<Values[At]> };
type Given<Values extends [unknown, ...unknown[]], Holds> =
  [holds: Holds] | [parameters: fc.Parameters<Values>, holds: Holds];

/** Checks with many values, as fast-check chooses them, that a property holds: that nothing is thrown. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  ...given: Given<Values, (...values: Values) => void>
): void {
  const [parameters, holds] = given.length === 1 ? [{}, given[0]] : given;
  fc.assert(fc.property(...arbitraries, holds), parameters);
}

export async function forAllAsync<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  ...given: Given<Values, (...values: Values) => Promise<void>>
): Promise<void> {
  const [parameters, holds] = given.length === 1 ? [{}, given[0]] : given;
  await fc.assert(fc.asyncProperty(...arbitraries, holds), parameters);
}
