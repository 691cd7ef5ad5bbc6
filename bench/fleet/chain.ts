/** When a request began and ended, milliseconds of the same clock. */
export interface Interval {
  from: number;
  to: number;
}

/** The most requests where each began after the one before had ended. Their latencies add up. */
export function longestChain(requests: readonly Interval[]): number {
  const ended: { to: number; depth: number }[] = [];
  let longest = 0;
  for (const { from, to } of requests.toSorted((a, b) => a.from - b.from)) {
    const before = Math.max(0, ...ended.filter((other) => other.to <= from).map(({ depth }) => depth));
    ended.push({ to, depth: before + 1 });
    longest = Math.max(longest, before + 1);
  }
  return longest;
}
