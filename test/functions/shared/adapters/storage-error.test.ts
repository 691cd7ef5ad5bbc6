import { afterEach, describe, expect, it } from 'vitest';
import { createS3Client } from '../../../../functions/shared/adapters/aws-clients.ts';
import { createObject, readText } from '../../../../functions/shared/adapters/s3-objects.ts';
import { runSandbox } from '../../../sandbox/aws/running-sandbox.ts';

const KEY = 'days/day=2026-11-20/merchant=700001/r0001.json';
const { AWS_ENDPOINT_URL_S3: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env['AWS_ENDPOINT_URL_S3'];
  else process.env['AWS_ENDPOINT_URL_S3'] = before;
});

/** The functions' client, on a sandbox that refuses every request so. */
async function refusing(status: number, code: string) {
  const sandbox = await runSandbox();
  Object.assign(process.env, sandbox.environment);
  sandbox.faults.add({ service: 's3', times: Infinity, action: { kind: 'error', status, code } });
  return { s3: createS3Client(), requests: sandbox.requests };
}

describe('an answer of S3', () => {
  it.each(['NoSuchBucket', 'NoSuchUpload'])(
    '%s is a failure, and no object that is missing',
    async (code) => {
      const { s3, requests } = await refusing(404, code);
      await expect(readText(s3, 'data', KEY)).rejects.toMatchObject({
        name: 'StorageError',
        operation: 'GetObject',
        key: KEY,
        code,
      });
      await expect(createObject(s3, 'data', KEY, {})).rejects.toMatchObject({ operation: 'PutObject', code });
      expect(requests).toHaveLength(2);
    },
  );

  it('NoSuchKey is an object that is missing', async () => {
    const { s3 } = await refusing(404, 'NoSuchKey');
    expect(await readText(s3, 'data', KEY)).toBeUndefined();
  });

  it('AccessDenied is a failure by its operation, key and code', async () => {
    const { s3 } = await refusing(403, 'AccessDenied');
    await expect(readText(s3, 'data', KEY)).rejects.toMatchObject({
      name: 'StorageError',
      message: `S3 GetObject of ${KEY} failed: AccessDenied (HTTP 403)`,
    });
  });
});
