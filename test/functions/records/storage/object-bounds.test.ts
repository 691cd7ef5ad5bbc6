import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundedText } from '#records/storage/object-bounds.ts';

it('a body is read as text up to the limit and no further, in whatever pieces it arrives', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), fc.nat(300), async (text, size, most) => {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const expected = bytes.length > most ? undefined : text;
      expect(await boundedText(Readable.from(pieces, { objectMode: false }), 'checked/x.json', most)).toBe(
        expected,
      );
    }),
  );
});

it('a body that never ends is read up to the limit and no further, and is released', async () => {
  let given = 0;
  const endless = new Readable({
    read() {
      given += 64 * 1024;
      this.push(Buffer.alloc(64 * 1024, 'a'));
    },
  });
  expect(await boundedText(endless, 'checked/x.json', 1024 * 1024)).toBeUndefined();
  expect(endless.destroyed).toBe(true);
  expect(given).toBeLessThan(2 * 1024 * 1024);
});

it('a body that fails is an error that names the key', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('cut'));
    },
  });
  await expect(boundedText(broken, 'checked/x.json', 10)).rejects.toMatchObject({
    name: 'StorageError',
    message: 'S3 GetObject of checked/x.json failed: Error',
  });
});
