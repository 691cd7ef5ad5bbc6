import { expect, test } from 'vitest';
import * as z from 'zod';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';

const schema = z.strictObject({ day: z.string(), more: z.strictObject({ a: z.int() }).optional() });

test('an event that fits the schema is passed on', () => {
  expect(readEvent(schema, { day: 'today' })).toEqual({ day: 'today' });
});

test.each([
  [{ day: 1 }, 'day', 'must be string'],
  [{ day: 'x', more: { a: 'x' } }, 'more.a', 'must be number'],
  [{ day: 'x', dya: 'x' }, 'dya', 'is not known here'],
  [{ day: 'x', more: { a: 1, b: 2 } }, 'more.b', 'is not known here'],
])('%j is refused with an error that names its member', (event, member, reason) => {
  const refused = new InvalidEventError(member, reason);
  expect(() => readEvent(schema, event)).toThrow(refused);
  expect(refused).toMatchObject({ name: 'InvalidEventError', member });
  expect(refused.message).toBe(`the event is not usable: ${member}: ${reason}`);
});
