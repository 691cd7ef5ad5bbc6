import { createServer } from 'node:http';
import { createS3Client } from '#runtime/s3-client.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { readText, writeObject } from '#runtime/s3-objects.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { listening } from '#support/machine.ts';

const KEY = 'days/day=2026-11-20/merchant=700001/r0001.json';
const { AWS_ENDPOINT_URL_S3: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env['AWS_ENDPOINT_URL_S3'];
  else process.env['AWS_ENDPOINT_URL_S3'] = before;
});

/** The functions' client for a sandbox that refuses every request in this way. */
async function refusing(status: number, code: string) {
  const sandbox = await runSandbox();
  Object.assign(process.env, sandbox.environment);
  sandbox.faults.add({ service: 's3', times: Infinity, action: { kind: 'error', status, code } });
  return { s3: createS3Client(), requests: sandbox.requests };
}

describe('an answer of S3', () => {
  it.each([
    [404, 'NoSuchBucket'],
    [404, 'NoSuchUpload'],
    [403, 'AccessDenied'],
  ])('%d %s is a failure that names operation, key and code, not a missing object', async (status, code) => {
    const { s3, requests } = await refusing(status, code);
    const failureOf = (operation: string) => {
      const message = `S3 ${operation} of ${KEY} failed: ${code} (HTTP ${status})`;
      return { name: 'StorageError', operation, key: KEY, code, message };
    };
    await expect(readText(s3, 'data', KEY)).rejects.toMatchObject(failureOf('GetObject'));
    await expect(writeObject(s3, 'data', KEY, {})).rejects.toMatchObject(failureOf('PutObject'));
    expect(requests).toHaveLength(2);
  });

  it('NoSuchKey means that the object is missing', async () => {
    const { s3 } = await refusing(404, 'NoSuchKey');
    expect(await readText(s3, 'data', KEY)).toBeUndefined();
  });

  it('that breaks off is a failure that names its operation and key', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('[', () => response.destroy());
    });
    const { environment } = await runSandbox();
    const origin = `http://${await listening(server)}`;
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_S3: origin });
    const s3 = createS3Client();
    const failure = { name: 'StorageError', operation: 'GetObject', code: 'ECONNRESET' };
    await expect(readText(s3, 'data', KEY)).rejects.toMatchObject({ ...failure, key: KEY });
    const registry = new RegistrySource(s3, 'data', 'config/merchants.json');
    await expect(registry.load()).rejects.toMatchObject(failure);
  });
});

it('an object that would be too large to read again is not written', async () => {
  const { environment, requests } = await runSandbox();
  Object.assign(process.env, environment);
  const key = 'checked/day=2026-11-20/merchant=700001.json';
  const written = writeObject(createS3Client(), 'data', key, 'x'.repeat(70_000));
  await expect(written).rejects.toMatchObject({ name: 'StoredObjectError', key });
  expect(requests).toEqual([]);
});
