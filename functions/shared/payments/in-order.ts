/** Resolves when everything before it has been taken, so that nothing else waits to be. */
export type Turn = () => Promise<undefined>;

/** A piece of work of {@link inOrder}. */
export type Task<T> = (turn: Turn) => Promise<T>;

interface Running<T> {
  result: Promise<T>;
  begin: () => void;
}

function run<T>(task: Task<T>): Running<T> {
  const turn = Promise.withResolvers<undefined>();
  const result = task(() => turn.promise);
  // A failure is thrown when its turn comes; until then it is not unhandled.
  result.catch(() => undefined);
  return { result, begin: () => turn.resolve(undefined) };
}

/**
 * Runs tasks through a window of so many at once and gives their results in the order of the tasks, so that the
 * order does not depend on which answer came first and no more than a window of results is ever held.
 *
 * @param tasks `undefined` where the next one is known only when an earlier one has its result
 * @param window asked anew before each task, so that it may shrink while tasks run
 * @param failed rejects where something fails that ends the reading before its turn; `undefined` once nothing can
 */
export async function* inOrder<T>(
  tasks: Iterable<Task<T> | undefined>,
  window: () => number,
  failed?: () => Promise<never> | undefined,
): AsyncGenerator<T> {
  const running: Running<T>[] = [];
  const iterator = tasks[Symbol.iterator]();
  function fill(): void {
    while (running.length < Math.max(1, window())) {
      const next = iterator.next();
      if (next.done === true || next.value === undefined) return;
      running.push(run(next.value));
    }
  }
  try {
    for (;;) {
      fill();
      const [head] = running;
      if (head === undefined) return;
      head.begin();
      const failure = failed?.();
      const result = await (failure === undefined ? head.result : Promise.race([head.result, failure]));
      // Those that are known only now are under way while the reader is at work.
      fill();
      yield result;
      // Its place stays taken until the reader has done with it.
      running.shift();
    }
  } finally {
    iterator.return?.();
  }
}
