/** Keeps computed answers: ten thousand merchants share a few zones, hours and days. */
export function memoized<Answer>(answers: Map<string, Answer>, key: string, compute: () => Answer): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = compute();
  answers.set(key, answer);
  return answer;
}
