/** When a request began and ended, milliseconds of the same clock. */
export interface Interval {
  from: number;
  to: number;
}

/** The most requests where each began after the one before had ended. Their latencies add up. */
export function longestChain(requests: readonly Interval[]): number {
  const byEnd = requests.toSorted((one, other) => one.to - other.to || one.from - other.from);
  const depths = new Map<Interval, number>();
  // Of the requests that had ended when the current one began, and their number.
  let deepest = 0;
  let ended = 0;
  let longest = 0;
  for (const request of requests.toSorted((one, other) => one.from - other.from)) {
    for (let end = byEnd[ended]; end !== undefined && end.to <= request.from; end = byEnd[ended]) {
      const depth = depths.get(end);
      if (depth === undefined) break;
      deepest = Math.max(deepest, depth);
      ended += 1;
    }
    depths.set(request, deepest + 1);
    longest = Math.max(longest, deepest + 1);
  }
  return longest;
}
