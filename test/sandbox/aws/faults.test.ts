import { expect, test } from 'vitest';
import { runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';

const Bucket = 'data';

function put({ clients }: RunningSandbox, Key: string) {
  return clients.s3.putObject({ Bucket, Key, Body: Key });
}

const unavailable = { kind: 'error', status: 503, code: 'SlowDown' } as const;

test('a fault applies to requests that match its service, operation and key, as often as it says', async () => {
  const sandbox = await runSandbox();
  const { clients, faults, s3, secrets } = sandbox;
  secrets.put('secret', 'x');
  await s3.write(Bucket, 'mail/a', 'x');
  faults.add({ service: 's3', operation: 'PutObject', key: /^mail\//g, times: 2, action: unavailable });
  await put(sandbox, 'days/a');
  await clients.s3.getObject({ Bucket, Key: 'mail/a' });
  await clients.secretsManager.getSecretValue({ SecretId: 'secret' });
  await expect(put(sandbox, 'mail/b')).rejects.toMatchObject({ name: 'SlowDown' });
  await expect(put(sandbox, 'mail/b')).rejects.toMatchObject({ name: 'SlowDown' });
  await put(sandbox, 'mail/b');
});

test('a reset before the operation leaves nothing, and a reset after it leaves the object', async () => {
  const sandbox = await runSandbox();
  const { faults, requests, s3 } = sandbox;
  faults.add({ key: /^before$/, action: { kind: 'reset', when: 'before' } });
  faults.add({ key: /^after$/, action: { kind: 'reset', when: 'after' } });
  await expect(put(sandbox, 'before')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(put(sandbox, 'after')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(s3.list(Bucket)).toEqual(['after']);
  expect(requests.map(({ status }) => status)).toEqual([0, 0]);
});

test.each([
  ['before', []],
  ['after', ['a']],
] as const)('a request that hangs %s gets no answer, and close ends it at once', async (when, stored) => {
  const sandbox = await runSandbox();
  sandbox.faults.add({ action: { kind: 'hang', when } });
  const outcome = put(sandbox, 'a').then(
    () => 'answered',
    () => 'cut',
  );
  await expect.poll(() => sandbox.requests).toHaveLength(1);
  await expect.poll(() => sandbox.s3.list(Bucket)).toEqual(stored);
  const patience = new Promise((resolve) => setTimeout(resolve, 300, 'still hanging'));
  expect(await Promise.race([outcome, patience])).toBe('still hanging');
  const start = performance.now();
  await sandbox.close();
  expect(performance.now() - start).toBeLessThan(1000);
  expect(await outcome).toBe('cut');
});

test('a delayed request is served later; close does not wait for it, and then it has no effect', async () => {
  const sandbox = await runSandbox();
  sandbox.faults.add({ key: /^short$/, action: { kind: 'delay', milliseconds: 200 } });
  sandbox.faults.add({ key: /^long$/, action: { kind: 'delay', milliseconds: 3_000 } });
  const start = performance.now();
  await put(sandbox, 'short');
  expect(performance.now() - start).toBeGreaterThanOrEqual(190);
  const long = put(sandbox, 'long').catch(() => 'cut');
  await expect.poll(() => sandbox.requests).toHaveLength(2);
  const closing = performance.now();
  await sandbox.close();
  expect(performance.now() - closing).toBeLessThan(1000);
  expect(await long).toBe('cut');
  expect(sandbox.s3.list(Bucket)).toEqual(['short']);
});

test('a hook runs before or after the operation, which waits for it, and its failure gives status 500', async () => {
  const sandbox = await runSandbox();
  const { faults, s3 } = sandbox;
  const seen: [string, string[]][] = [];
  const look = (when: string) => {
    seen.push([when, s3.list(Bucket)]);
  };
  const after = async () => {
    // A hook can use the API itself.
    await put(sandbox, 'b');
    look('after');
  };
  faults.add({ action: { kind: 'call', before: () => look('before'), after } });
  await put(sandbox, 'a');
  expect(seen).toEqual([
    ['before', []],
    ['after', ['a', 'b']],
  ]);
  const before = () => Promise.reject(new Error('the hook itself'));
  faults.add({ action: { kind: 'call', before } });
  await expect(put(sandbox, 'c')).rejects.toMatchObject({
    name: 'InternalError',
    message: 'The sandbox failed: the hook itself',
  });
});
