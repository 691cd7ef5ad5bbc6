/** Answers the requests of the parent process, and ends with it. */
export function serve(
  operations: Record<string, (input: never) => unknown>,
  close: () => Promise<unknown> = () => Promise.resolve(),
): void {
  process.on('message', (message) => {
    const { id, operation, input } = message as { id: number; operation: string; input: never };
    void Promise.resolve()
      .then(() => operations[operation]?.(input))
      .then(
        (answer) => ({ id, answer: answer ?? null }),
        (error: unknown) => ({
          id,
          error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      )
      .then((reply) => process.send?.(reply));
  });
  // Ctrl-C reaches every process of the terminal. This one ends with its parent, which removes its files.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => {
    void close().finally(() => process.exit());
  });
}
