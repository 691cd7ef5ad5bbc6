const MINUTE = 60_000;

/**
 * How long the rest will take if it goes on as before, in words. `undefined` when that is not known yet, and at the end.
 *
 * @param elapsed milliseconds since the start
 */
export function timeToGo(done: number, total: number, elapsed: number): string | undefined {
  if (done <= 0 || done >= total || elapsed <= 0) return undefined;
  const minutes = Math.ceil(((elapsed / done) * (total - done)) / MINUTE);
  if (elapsed * (total - done) < MINUTE * done) return 'less than a minute to go';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `about ${rest} min to go` : `about ${hours} h ${rest} min to go`;
}
