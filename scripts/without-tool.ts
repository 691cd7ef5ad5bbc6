/**
 * Says that a tool of others is not there, and sets the exit status. In continuous integration (`CI=true`) this is an error. Elsewhere
 * the tests are skipped.
 *
 * @param name what the lines begin with, such as `trino`
 * @param reason why the tool is not there
 * @param skipped what did not happen, as a sentence without its end
 */
export function endWithout(name: string, { message }: Error, skipped: string): void {
  const isOptional = process.env['CI'] !== 'true';
  console.error(`${name}: ${message}`);
  console.error(
    isOptional
      ? `${name}: SKIPPED. ${skipped}; continuous integration (CI=true) would fail here.`
      : `${name}: FAILED. ${skipped}, and continuous integration must not skip it.`,
  );
  process.exitCode = isOptional ? 0 : 1;
}
