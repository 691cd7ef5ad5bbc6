/** Resolves when the results of all earlier tasks were taken, so that nothing else is held. */
export type Turn = () => Promise<undefined>;

export type Task<T> = (turn: Turn) => Promise<T>;

interface Running<T> {
  result: Promise<T>;
  begin: () => void;
}

function run<T>(task: Task<T>): Running<T> {
  const turn = Promise.withResolvers<undefined>();
  const result = task(() => turn.promise);
  // A failure is thrown when its turn comes. Until then it must not count as unhandled.
  result.catch(() => undefined);
  return { result, begin: () => turn.resolve(undefined) };
}

/**
 * Runs several tasks at once; results are in the order of the tasks, and only a window of them is held.
 * @param tasks `undefined` when the next one is known only after an earlier result
 * @param window is read before each task
 * @param failed rejects when a failure ends the reading before its turn
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
      // Starts tasks that are known only now, while the reader is at work.
      fill();
      yield result;
      // The task keeps its place until the reader has taken its result.
      running.shift();
    }
  } finally {
    iterator.return?.();
  }
}
