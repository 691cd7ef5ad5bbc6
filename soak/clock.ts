/** The clock runs this much faster than the machine's. It cannot be faster, because runs wait for each other, the service and the mail. */
const SPEED = 10;

/** What other processes need to show the same time: the time of this clock at a moment of the machine's clock. Milliseconds. */
export interface ClockReading {
  machine: number;
  virtual: number;
  speed: number;
}

/** The time of a clock at a moment of the machine's clock. Milliseconds since 1970 UTC. */
export function timeOf({ machine, virtual, speed }: ClockReading, machineNow: number): number {
  return virtual + (machineNow - machine) * speed;
}

/** A clock that runs faster than the machine's, at the same speed for all processes. It can be set forward. */
export class VirtualClock {
  #reading: ClockReading;

  /** @param start milliseconds since 1970 UTC */
  constructor(start: number) {
    this.#reading = { machine: Date.now(), virtual: start, speed: SPEED };
  }

  /** Milliseconds since 1970 UTC. */
  readonly now = (): number => timeOf(this.#reading, Date.now());

  get reading(): ClockReading {
    return this.#reading;
  }

  /** Sets the clock to that moment (ISO 8601, UTC), unless it has passed: time never goes back. */
  jumpTo(moment: string): void {
    this.pass(Date.parse(moment) - this.now());
  }

  /** @param milliseconds a negative number lets no time pass */
  pass(milliseconds: number): void {
    const virtual = this.#reading.virtual + Math.max(0, milliseconds);
    this.#reading = { ...this.#reading, virtual };
  }
}
