/** Milliseconds; Lambda's own quotas are of 20. */
const PERIOD = 50;

/**
 * Lets a process run for a share of the time only, by stopping and continuing it, so that a small function's slowness is
 * measured and not only computed. What it waits for goes on while it is stopped.
 *
 * @param share of each period, 0 to 1
 * @returns wakes it for good
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
  // Should this process end first, the other could not.
  process.on('exit', wakeForGood);
  wake();
  return wakeForGood;
}
