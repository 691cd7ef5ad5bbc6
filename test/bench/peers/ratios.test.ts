import { describe, expect, it } from 'vitest';
import { mediansOf, multiplesOf } from '#bench/peers/peers.ts';

const taken = (wall: number, cpu: number, peak: number) => ({ wall, cpu, peak });
const rounds = [
  { Daybook: taken(1_000, 500, 100), other: taken(2_000, 250, 100) },
  // All was slower in this round, and the ratios are the same.
  { Daybook: taken(4_000, 2_000, 110), other: taken(8_000, 1_000, 110) },
  { Daybook: taken(1_100, 400, 120), other: taken(1_100, 4_000, 60) },
];

describe('the figures of the rounds', () => {
  it('are ratios within a round, and the median of the rounds', () => {
    expect(multiplesOf(rounds, 'other', 'Daybook')).toEqual({ wall: 2, cpu: 0.5, peak: 1 });
  });

  it('are medians for Daybook itself', () => {
    expect(mediansOf(rounds, 'Daybook')).toEqual(taken(1_100, 500, 110));
  });

  it('are refused when a round lacks a program', () => {
    expect(() => multiplesOf([{ Daybook: taken(1, 1, 1) }], 'other', 'Daybook')).toThrow(
      'a round lacks other or Daybook',
    );
    expect(() => mediansOf([{}], 'Daybook')).toThrow('a round lacks Daybook');
  });
});
