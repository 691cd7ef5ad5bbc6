import { setTimeout as wait } from 'node:timers/promises';
import { readEnvironment, type Environment } from '#registry/environment.ts';
import type { Clock } from '#runtime/clock.ts';

/** The functions go by it, the sandboxes stamp by it. It begins at a time of its own and passes as the machine's. */
export class WorldClock implements Clock {
  /** Milliseconds by which it is ahead of the machine's; negative when it is behind. */
  ahead = 0;

  /** @param start ISO 8601, UTC */
  constructor(start: string) {
    this.setTo(start);
  }

  /** Milliseconds since 1970 UTC. */
  now = (): number => Date.now() + this.ahead;

  /** Lets that time pass, and takes no longer than a few milliseconds. */
  sleep = async (milliseconds: number): Promise<void> => {
    this.ahead += milliseconds;
    await wait(2);
  };

  /** Goes on from that moment. @param moment ISO 8601, or milliseconds since 1970; UTC */
  setTo(moment: string | number): void {
    this.ahead = new Date(moment).getTime() - Date.now();
  }
}

/** What a cold start of a function has in this process, on a world's clock. */
export function partsOf<Parts extends object>(build: (environment: Environment) => Parts, clock: WorldClock) {
  return { ...build(readEnvironment(process.env)), clock };
}
