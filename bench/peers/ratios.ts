import { median } from 'simple-statistics';

/** What a program took, from its start to its end, with all processes that it started. */
export interface Taken {
  /** Milliseconds. */
  wall: number;
  /** User and system, milliseconds. */
  cpu: number;
  /** The largest resident set of a process, bytes. */
  peak: number;
}

/** What each program took in one round, by its name. */
export type Round = Readonly<Record<string, Taken>>;

/**
 * A program's figures as multiples of another's. A ratio is taken within a round, where both ran one shortly after the other; the
 * median is that of the rounds.
 *
 * @throws {Error} when a round lacks one of the two
 */
export function multiplesOf(rounds: readonly Round[], name: string, base: string): Taken {
  const of = (figure: keyof Taken) =>
    median(
      rounds.map((round) => {
        const [one, other] = [round[name], round[base]];
        if (one === undefined || other === undefined) throw new Error(`a round lacks ${name} or ${base}`);
        return one[figure] / other[figure];
      }),
    );
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

/** The medians of a program. @throws {Error} when a round lacks it */
export function mediansOf(rounds: readonly Round[], name: string): Taken {
  const all = rounds.map((round) => {
    const one = round[name];
    if (one === undefined) throw new Error(`a round lacks ${name}`);
    return one;
  });
  const of = (figure: keyof Taken) => median(all.map((one) => one[figure]));
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}
