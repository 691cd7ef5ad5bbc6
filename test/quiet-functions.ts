/**
 * The functions log to the standard output, which is what Lambda reads; in a test run that would bury the results.
 * Tests of the logs put their own ear in front of this.
 */
const write = process.stdout.write.bind(process.stdout) as (...parameters: unknown[]) => boolean;

process.stdout.write = (...parameters: unknown[]): boolean =>
  /^\{"(?:level|_aws)"/.test(String(parameters[0])) || write(...parameters);
