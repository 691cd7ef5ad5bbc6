import { AdaptiveLimit } from '#service/sending/adaptive-limit.ts';

/** A service that works on so many requests at once, and what it does with more than that. */
export interface SimulatedService {
  /** How many it works on at once, after so many of its answers. */
  capacity: (answers: number) => number;
  beyond: 'wait' | 'are refused';
  /** How long it works on a request: between 0.7 and 1.3 times this. Milliseconds. */
  work: number;
  /** From 0 to 1. */
  random: () => number;
}

/** What was seen at each answer, refusals among them. */
export interface Answered {
  refused: boolean;
  inFlight: number;
  /** The limit after it. */
  limit: number;
}

interface Sent {
  generation: number;
  at: number;
}

/** A refusal takes no work. Milliseconds. */
const REFUSAL = 2;

/**
 * Sends requests as fast as a limit lets them, on a clock of its own, until so many are answered. Time goes from answer
 * to answer; nothing waits and nothing runs beside it.
 */
export function simulate(service: SimulatedService, most: number, answers: number): Answered[] {
  const limit = new AdaptiveLimit(most);
  const seen: Answered[] = [];
  const waiting: Sent[] = [];
  const underWay: { sent: Sent; ends: number; refused: boolean }[] = [];
  let time = 0;

  const working = () => underWay.filter(({ refused }) => !refused).length;
  const capacity = () => service.capacity(seen.length);
  const send = () => {
    const sent = { generation: limit.generation, at: time };
    if (service.beyond === 'wait' || working() < capacity()) waiting.push(sent);
    else underWay.push({ sent, ends: time + REFUSAL, refused: true });
  };
  const work = () => {
    while (working() < capacity()) {
      const sent = waiting.shift();
      if (sent === undefined) return;
      underWay.push({ sent, ends: time + service.work * (0.7 + 0.6 * service.random()), refused: false });
    }
  };

  while (seen.length < answers) {
    while (waiting.length + underWay.length < limit.value) {
      send();
      work();
    }
    work();
    underWay.sort((a, b) => b.ends - a.ends);
    const inFlight = waiting.length + underWay.length;
    const ended = underWay.pop();
    if (ended === undefined) throw new Error('a service without any capacity answers nothing');
    const { sent, ends, refused } = ended;
    time = ends;
    const elapsed = time - sent.at;
    if (refused) limit.overloaded(sent.generation);
    else limit.good({ generation: sent.generation, inFlight, elapsed, waited: elapsed });
    seen.push({ refused, inFlight, limit: limit.value });
  }
  return seen;
}
