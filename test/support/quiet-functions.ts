/**
 * The functions log to the standard streams, which is what Lambda reads; in a test run that would bury the results.
 * Tests of the logs put their own ear in front of this.
 */
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean;
  stream.write = (...parameters: unknown[]): boolean =>
    /^\{"(?:level|_aws)"/.test(String(parameters[0])) || write(...parameters);
}
