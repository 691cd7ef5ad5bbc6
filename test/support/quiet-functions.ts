/**
 * The functions log to the standard streams, which Lambda reads. In a test run the log would hide the results. Tests of
 * the logs replace `write` themselves.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.write = new Proxy(stream.write.bind(stream), {
    apply: (write, self, parameters: unknown[]) =>
      /^\{"(?:level|_aws)"/.test(String(parameters[0])) || Reflect.apply(write, self, parameters) === true,
  });
}
