/** The exit status of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** What Ctrl-C does: it ends the process, unless the command has claimed it. */
export interface Interruptions {
  /**
   * From here on the first Ctrl-C aborts the signal, and the command ends by itself. The second one ends the process.
   */
  claim: () => AbortSignal;
}

/** Listens to Ctrl-C. */
export function listenToInterruptions(): Interruptions {
  const controller = new AbortController();
  let isClaimed = false;
  process.on('SIGINT', () => {
    if (!isClaimed || controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  });
  return {
    claim: () => {
      isClaimed = true;
      return controller.signal;
    },
  };
}
