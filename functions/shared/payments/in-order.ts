/**
 * Runs tasks through a window of so many at once and gives their results in the order of the tasks, so that the
 * order does not depend on which answer came first and no more than a window of results is ever held.
 */
export async function* inOrder<T>(
  tasks: AsyncIterable<() => Promise<T>> | Iterable<() => Promise<T>>,
  window: number,
): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for await (const task of tasks) {
    const result = task();
    // A failure is thrown when its turn comes; until then it is not unhandled.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= window) {
      const first = running.shift();
      if (first !== undefined) yield await first;
    }
  }
  for (const result of running) yield await result;
}
