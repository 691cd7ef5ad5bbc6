/**
 * Runs tasks through a window of so many at once and gives their results in the order of the tasks, so that the
 * order does not depend on which answer came first and no more than a window of results is ever held.
 *
 * @param window asked anew before each task, so that it may shrink while tasks run
 */
export async function* inOrder<T>(
  tasks: AsyncIterable<() => Promise<T>> | Iterable<() => Promise<T>>,
  window: () => number,
): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for await (const task of tasks) {
    const result = task();
    // A failure is thrown when its turn comes; until then it is not unhandled.
    result.catch(() => undefined);
    running.push(result);
    for (let first; running.length >= window() && (first = running.shift()) !== undefined;) yield await first;
  }
  for (const result of running) yield await result;
}
