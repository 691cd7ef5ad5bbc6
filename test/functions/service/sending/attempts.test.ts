import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Attempt } from '#service/sending/transport.ts';
import { Attempts } from '#service/sending/transport.ts';

describe('attempts under way', () => {
  it('are all given up at once', () => {
    const attempts = new Attempts();
    const all = [new Attempt(), new Attempt(), new Attempt()];
    for (const attempt of all) attempts.add(attempt);
    attempts.giveUp();
    expect(all.map(({ isOver }) => isOver)).toEqual([true, true, true]);
  });

  it('are given up without those that were removed', () => {
    const attempts = new Attempts();
    const all = [new Attempt(), new Attempt(), new Attempt()];
    const places = all.map((attempt) => attempts.add(attempt));
    attempts.remove(places[1] ?? -1);
    attempts.giveUp();
    expect(all.map(({ isOver }) => isOver)).toEqual([true, false, true]);
  });

  it('get the place of one that ended', () => {
    const attempts = new Attempts();
    for (let number = 0; number < 3; number += 1) expect(attempts.add(new Attempt())).toBe(number);
    attempts.remove(1);
    expect(attempts.add(new Attempt())).toBe(1);
    expect(attempts.add(new Attempt())).toBe(3);
  });

  it('have each their own place, use no more places than needed, and only they are given up', () => {
    // A number ends one of the attempts under way; null begins another one.
    const steps = fc.array(fc.option(fc.nat({ max: 20 }), { freq: 1 }), { maxLength: 60 });
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
