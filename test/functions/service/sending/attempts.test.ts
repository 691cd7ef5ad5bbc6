import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Attempt, Attempts } from '#service/sending/transport.ts';

describe('attempts under way', () => {
  it('have each their own place, use no more places than needed, and only they are given up', () => {
    // A number ends one of the attempts under way; null begins another one.
    const steps = fc.array(fc.option(fc.nat({ max: 20 }), { freq: 2 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (list) => {
        const attempts = new Attempts();
        const ended: Attempt[] = [];
        const underWay: { attempt: Attempt; place: number }[] = [];
        let most = 0;
        for (const step of list) {
          if (step === null) {
            const attempt = new Attempt();
            underWay.push({ attempt, place: attempts.add(attempt) });
          } else {
            const [one] = underWay.splice(step % Math.max(1, underWay.length), 1);
            if (one === undefined) continue;
            attempts.remove(one.place);
            ended.push(one.attempt);
          }
          most = Math.max(most, underWay.length);
          const places = underWay.map(({ place }) => place);
          expect(new Set(places).size).toBe(places.length);
          expect(Math.max(-1, ...places)).toBeLessThan(most);
        }
        attempts.giveUp();
        expect(underWay.every(({ attempt }) => attempt.isOver)).toBe(true);
        expect(ended.some(({ isOver }) => isOver)).toBe(false);
      }),
    );
  });
});
