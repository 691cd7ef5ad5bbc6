import { describe, expect, it } from 'vitest';
import { AnswerBody, BodyMemory } from '#service/sending/answer-body.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const SMALLEST = 4 * 1024;
const MEBIBYTE = 1024 * 1024;

it('memory of bodies is used again when it is large enough and small enough, until the client is closed', () => {
  const memory = new BodyMemory();
  const small = memory.take(10);
  expect(small).toHaveLength(SMALLEST);
  memory.giveBack(small);
  expect(memory.take(SMALLEST)).toBe(small);
  memory.giveBack(small);
  const larger = memory.take(SMALLEST + 1);
  expect(larger).not.toBe(small);
  expect(larger).toHaveLength(2 * SMALLEST);
  const [kept, dropped] = [memory.take(MEBIBYTE), memory.take(MEBIBYTE + 1)];
  memory.giveBack(kept);
  memory.giveBack(dropped);
  expect(dropped).toHaveLength(0);
  expect(memory.take(0)).toBe(kept);
  memory.giveBack(kept);
  memory.close();
  expect(kept).toHaveLength(0);
  expect(memory.take(0)).not.toBe(kept);
});

describe('the body of an answer', () => {
  it('is all of its chunks and nothing else, in memory that other answers had', () => {
    const length = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 100_000 }));
    const answer = fc.record({
      stated: fc.nat({ max: 200_000 }),
      lengths: fc.array(length, { maxLength: 5 }),
    });
    forAll(
      [fc.array(answer, { minLength: 1, maxLength: 6 }), fc.nat({ max: 3 })],
      runs(200),
      (answers, open) => {
        const memory = new BodyMemory();
        const bodies: { body: AnswerBody; expected: Buffer }[] = [];
        for (const [index, { stated, lengths }] of answers.entries()) {
          const chunks = lengths.map((bytes, at) => Buffer.alloc(bytes, `${index}${at}`));
          const body = new AnswerBody(stated, memory);
          for (const chunk of chunks) body.add(Buffer.from(chunk));
          bodies.push({ body, expected: Buffer.concat(chunks) });
          expect(body).toHaveLength(Buffer.concat(chunks).length);
          if (bodies.length <= open) continue;
          for (const each of bodies) expect(each.body.bytes().equals(each.expected)).toBe(true);
          bodies.shift()?.body.giveBack();
        }
        for (const { body, expected } of bodies) expect(body.bytes().equals(expected)).toBe(true);
      },
    );
  });

  it('grows with its chunks, and is copied as often as its size doubles', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    const buffers = new Set<ArrayBufferLike>();
    for (let index = 0; index < 64; index += 1) {
      body.add(Buffer.alloc(8 * 1024, index));
      buffers.add(body.bytes().buffer);
    }
    expect(body).toHaveLength(64 * 8 * 1024);
    expect(buffers.size).toBe(4);
  });

  it('gives its memory back once: two later answers never share it', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    body.giveBack();
    body.giveBack();
    const [first, second] = [new AnswerBody(0, memory), new AnswerBody(0, memory)];
    first.add(Buffer.from('first'));
    second.add(Buffer.from('other'));
    expect(first.bytes().toString()).toBe('first');
    body.giveBack();
    expect(body.bytes()).toHaveLength(0);
    expect(new AnswerBody(0, memory).bytes().buffer).not.toBe(first.bytes().buffer);
  });

  it('gives the smaller memory back when it grows', () => {
    const memory = new BodyMemory();
    const body = new AnswerBody(0, memory);
    const before = body.bytes().buffer;
    body.add(Buffer.alloc(64 * 1024 + 1));
    expect(memory.take(0).buffer).toBe(before);
  });
});
