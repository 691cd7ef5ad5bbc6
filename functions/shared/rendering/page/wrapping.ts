import { withoutIsolates } from '../formatters/outside-text.ts';

/** How a text may break. A column must not shrink to single letters, so only words that are too long for a narrow screen may break anywhere. */
export function wrapping(text: string): 'anywhere' | 'normal' {
  return /\S{18,}/.test(withoutIsolates(text)) ? 'anywhere' : 'normal';
}

/** UTF-16 units. */
export function longestWord(text: string): number {
  return Math.max(
    ...withoutIsolates(text)
      .split(/\s+/)
      .map(({ length }) => length),
  );
}
