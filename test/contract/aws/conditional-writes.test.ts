import * as z from 'zod';
import { putObject, readObject, writeObject } from '#runtime/s3-objects.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';
import { defined } from '#support/assertions/index.ts';

const aws = await awsUnderTest();
const { bucket } = aws;
const s3 = aws.clients.s3;
const schema = z.object({ n: z.int() });

const create = (key: string, n: number) => writeObject(s3, bucket, key, { n });
const replace = (key: string, n: number, version: string) => writeObject(s3, bucket, key, { n }, version);
const read = (key: string) => readObject(s3, bucket, key, schema);
/** Methods and statuses since the last call. */
const requests = () => aws.s3.taken().map(({ method, status }) => `${method} ${status}`);

describe(`a conditional write, on ${TARGET}`, () => {
  test('creates a key only once', async () => {
    const version = await create('once', 1);
    expect(version).toMatch(/^"[0-9a-f]{32}"$/);
    expect(requests()).toEqual(['PUT 200']);
    expect(await create('once', 2)).toBeUndefined();
    expect(requests()).toEqual(['PUT 412', 'GET 200']);
    expect(await read('once')).toEqual({ value: { n: 1 }, version });
  });

  test('replaces a version only once', async () => {
    const first = await create('versions', 1);
    const second = await replace('versions', 2, defined(first));
    expect(second).toMatch(/^"[0-9a-f]{32}"$/);
    expect(second).not.toBe(first);
    requests();
    expect(await replace('versions', 3, defined(first))).toBeUndefined();
    expect(requests()).toEqual(['PUT 412', 'GET 200']);
    expect(await read('versions')).toEqual({ value: { n: 2 }, version: second });
  });

  test('does not replace a deleted object, and does not create it again', async () => {
    const version = await create('gone', 1);
    await aws.remove('gone');
    requests();
    expect(await replace('gone', 2, defined(version))).toBeUndefined();
    expect(requests()).toEqual(['PUT 404', 'GET 404']);
    expect(await aws.keys('gone')).toEqual([]);
  });

  test('gives the same version that a read gives, and so does a write without a condition', async () => {
    await putObject(s3, bucket, 'plain', { n: 1 });
    const known = await read('plain');
    expect(await replace('plain', 2, defined(known).version)).toBeDefined();
    expect(await replace('plain', 3, defined(known).version)).toBeUndefined();
  });

  test('follows a read that names the key of a malformed object in its error', async () => {
    await aws.write('spoilt', '{"n":"one"}');
    await expect(read('spoilt')).rejects.toMatchObject({ name: 'StoredObjectError', key: 'spoilt' });
  });
});

describe(`a conditional write whose answer is lost, on ${TARGET}`, () => {
  const loseNextPut = () => aws.s3.loseAnswer(({ method }) => method === 'PUT');

  test('finds the object that it created and recognises it as its own', async () => {
    requests();
    loseNextPut();
    const version = await create('lost', 1);
    expect(requests()).toEqual(['PUT 200', 'PUT 412', 'GET 200']);
    expect(await read('lost')).toEqual({ value: { n: 1 }, version });
  });

  test('finds the object that it replaced and recognises it as its own', async () => {
    const first = await create('lost-replaced', 1);
    loseNextPut();
    const second = await replace('lost-replaced', 2, defined(first));
    expect(second).toBeDefined();
    expect(await replace('lost-replaced', 3, defined(second))).toBeDefined();
  });

  test('is still refused when the object belongs to another writer', async () => {
    await create('lost-refusal', 1);
    loseNextPut();
    expect(await create('lost-refusal', 2)).toBeUndefined();
    expect((await read('lost-refusal'))?.value).toEqual({ n: 1 });
  });
});

describe(`many conditional writes at once, on ${TARGET}`, () => {
  test('create the object once when twenty try', async () => {
    const versions = await Promise.all(Array.from({ length: 20 }, (_, n) => create('crowd', n)));
    const winners = versions.flatMap((version, n) => (version === undefined ? [] : [{ version, n }]));
    expect(winners).toHaveLength(1);
    const [{ version, n } = { version: '', n: -1 }] = winners;
    expect(await read('crowd')).toEqual({ value: { n }, version });
  });

  test('lose none of ten increments that are tried until they succeed', async () => {
    await create('counter', 0);
    const countUp = async () => {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const { value, version } = defined(await read('counter'));
        // A unique mark, as the alert states have: with equal contents a writer would take another's object for its
        // own.
        const body = { n: value.n + 1, writer: crypto.randomUUID() };
        if ((await writeObject(s3, bucket, 'counter', body, version)) !== undefined) return;
      }
      throw new Error('never got through');
    };
    await Promise.all(Array.from({ length: 10 }, countUp));
    expect((await read('counter'))?.value).toEqual({ n: 10 });
  });
});
