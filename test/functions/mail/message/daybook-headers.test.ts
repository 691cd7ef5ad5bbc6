import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedWords, daybookHeaders } from '#mail/message/mail-head.ts';
import { composeMail } from '#mail/message/mime.ts';
import { daybookHeadersIn } from '#support/readers/daybook-headers-in.ts';
import { python } from '#support/readers/python.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { forAllAsync } from '#support/assertions/for-all.ts';

const PYTHON_READER = `
import email, email.policy, json, sys
m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps({ 'headers': {k.lower(): v for k, v in m.items() if k.lower().startswith('x-daybook-')},
  'defects': [repr(d) for part in m.walk() for d in part.defects] }))`;

const composed = (headers: Record<string, string>) =>
  composeMail({
    from: 'reports@mail.example.com',
    to: 'a@example.com',
    subject: 'x',
    text: 'x\n',
    html: '<p>x</p>',
    at: 0,
    headers,
  });

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the headers of a mail', () => {
  it.each(['report', 'alert'] as const)('name a %s and what identifies it, in both readers', async (kind) => {
    const headers = daybookHeaders({
      kind,
      reference: ['700001', '2026-11-20', 2],
      internals: {
        Pull: '20261121T030005Z-9f2c61aa',
        Manifest: 'days/day=2026-11-20/merchant=700001/r0002.json',
        Rules: boundedWords(Array.from({ length: 90 }, (_, index) => `a-rule-of-the-merchant-${index}`)),
      },
    });
    expect(headers).toMatchObject({
      'X-Daybook-Kind': kind,
      'X-Daybook-Reference': '700001 2026-11-20 2',
      'X-Daybook-Pull': '20261121T030005Z-9f2c61aa',
    });
    const raw = await composed(headers);
    expect(await daybookHeadersIn(raw)).toEqual(lowerCased(headers));
    expect(await python(PYTHON_READER, raw)).toEqual({ headers: lowerCased(headers), defects: [] });
  });

  it('are one bounded line of ASCII each, whatever a value holds', async () => {
    const hostile = fc.oneof(
      fc.constantFrom(...HOSTILE_NAMES),
      fc.string({ unit: ANY_CHARACTER, maxLength: 1500 }),
    );
    await forAllAsync([hostile], async (text) => {
      const headers = daybookHeaders({ kind: 'alert', reference: [text], internals: { Check: text } });
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\w ./:=+-]{1,500}$/);
      const raw = await composed(headers);
      expect(await daybookHeadersIn(raw)).toEqual(lowerCased(headers));
    });
  });
});

it.each([
  [[], ''],
  [['one'], 'one'],
  [['one', 'two'], 'one two'],
])('the words %j are written as %j', (words, written) => {
  expect(boundedWords(words)).toBe(written);
});

it('of too many words the first are written, and how many more there are', () => {
  const words = Array.from({ length: 60 }, (_, index) => `${'r'.repeat(60)}${index}`);
  const written = boundedWords(words);
  expect(written).toMatch(/^r+0 r+1 r+2 .* \+53$/);
  expect(written.length).toBeLessThanOrEqual(500);
});
