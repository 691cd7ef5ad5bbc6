/** Builds at the first call, and gives that to later ones: every unwrapping of a lazy schema builds it again. */
export function once<Built>(build: () => Built): () => Built {
  let built: Built | undefined;
  return () => (built ??= build());
}

/** A `Map`, or a `WeakMap` for answers about objects. */
interface Answers<Key, Answer> {
  get: (key: Key) => Answer | undefined;
  set: (key: Key, answer: Answer) => unknown;
}

/** Keeps computed answers: thousands of merchants share a few zones, hours and days, and a registry stays the same object. */
export function memoized<Key, Answer>(
  answers: Answers<Key, Answer>,
  key: Key,
  compute: () => NoInfer<Answer>,
): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = compute();
  answers.set(key, answer);
  return answer;
}

/**
 * Keeps an answer for a while, and a failure not at all. The caller says how old it may be (milliseconds).
 * @param now milliseconds UTC
 */
export function kept<Answer>(
  read: () => Promise<Answer>,
  now: () => number,
): (oldest: number) => Promise<Answer> {
  let known: { answer: Promise<Answer>; at: number } | undefined;
  return (oldest) => {
    if (known !== undefined && now() - known.at < oldest) return known.answer;
    const own = { answer: read(), at: now() };
    known = own;
    own.answer.catch(() => {
      if (known === own) known = undefined;
    });
    return own.answer;
  };
}
