import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArrayElements, NoJsonArray } from '#functions/plan/store/json-array-elements.ts';
import { expectLinearTime } from '#support/assertions/linear-time.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function elements(text: string, size = 7, mostBytes = 1_000_000): Promise<unknown[]> {
  return Array.fromAsync(jsonArrayElements(inChunks(text, size), mostBytes));
}

describe('the elements of an array', () => {
  it('are the same as those of JSON.parse, in whatever chunks and with whatever indentation they come', async () => {
    const spaces = fc.constantFrom(undefined, 1, '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 50 }),
        spaces,
        async (values, size, space) => {
          const text = JSON.stringify(values, null, space);
          expect(await elements(` ${text}\n`, size)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it.each([
    '',
    ' ',
    '{}',
    '[',
    '[1',
    '[1,',
    '[1,2]]',
    '[1][2]',
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[{"a":1]',
    '["]',
    '"[1]"',
    '[1}',
  ])('of %j cannot be read, because the whole text is not an array', async (text) => {
    expect((): unknown => JSON.parse(text)).toSatisfy((parse: () => unknown) => {
      try {
        return !Array.isArray(parse());
      } catch {
        return true;
      }
    });
    await expect(elements(text)).rejects.toThrow(NoJsonArray);
  });

  it('are limited one by one, not in total', async () => {
    const many = JSON.stringify(Array.from({ length: 1_000 }, () => 'x'.repeat(90)));
    expect(await elements(many, 64, 100)).toHaveLength(1_000);
    await expect(elements(JSON.stringify(['x'.repeat(200)]), 64, 100)).rejects.toThrow('more than 100 bytes');
  });

  it('take linear time', async () => {
    await expectLinearTime(async (length) => {
      const text = JSON.stringify(
        Array.from({ length }, () => ({ Input: '{"a":"\\"[{,"}', Output: ']}'.repeat(100) })),
      );
      expect(await elements(text, 65_536)).toHaveLength(length);
    }, 5_000);
  });
});
