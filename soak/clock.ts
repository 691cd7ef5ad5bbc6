/** How much faster than the machine's the clock goes: runs wait for one another, for the service and for the mail. */
const SPEED = 10;

/** What the clock goes by, in whatever process: at a moment of the machine's clock it showed that time. Milliseconds. */
export interface ClockReading {
  machine: number;
  virtual: number;
  speed: number;
}

/** The time of a clock at a moment of the machine's. Milliseconds since 1970 UTC. */
export function timeOf({ machine, virtual, speed }: ClockReading, machineNow: number): number {
  return virtual + (machineNow - machine) * speed;
}

/** A clock that goes faster than the machine's, evenly for everybody, and can be put forward. */
export class VirtualClock {
  #reading: ClockReading;

  /** @param start milliseconds since 1970 UTC */
  constructor(start: number) {
    this.#reading = { machine: Date.now(), virtual: start, speed: SPEED };
  }

  /** Milliseconds since 1970 UTC. */
  readonly now = (): number => timeOf(this.#reading, Date.now());

  /** By what another process can have the same clock. */
  get reading(): ClockReading {
    return this.#reading;
  }

  /** Goes on from that moment (ISO 8601, UTC), unless it has passed: time never goes back. */
  jumpTo(moment: string): void {
    this.pass(Date.parse(moment) - this.now());
  }

  /** @param milliseconds fewer than none let no time pass */
  pass(milliseconds: number): void {
    const virtual = this.#reading.virtual + Math.max(0, milliseconds);
    this.#reading = { ...this.#reading, virtual };
  }
}
