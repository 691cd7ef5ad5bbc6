/** Milliseconds. Lambda's own periods are 20. */
const PERIOD = 50;

/**
 * Lets a process run for a share of the time only, by stopping and continuing it. So the slowness of a small function is
 * measured and not only computed. What it waits for continues while it is stopped.
 *
 * @param share of each period, 0 to 1
 * @returns a function that lets it run freely again
 */
export function halfAsleep(pid: number, share: number): () => void {
  let timer: NodeJS.Timeout;
  const sleep = () => {
    process.kill(pid, 'SIGSTOP');
    timer = setTimeout(wake, PERIOD * (1 - share));
  };
  const wake = () => {
    process.kill(pid, 'SIGCONT');
    timer = setTimeout(sleep, PERIOD * share);
  };
  const wakeForGood = () => {
    clearTimeout(timer);
    process.off('exit', wakeForGood);
    process.kill(pid, 'SIGCONT');
  };
  // If this process ended first, the other would stay stopped.
  process.on('exit', wakeForGood);
  wake();
  return wakeForGood;
}
