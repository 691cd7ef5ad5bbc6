import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { S3NoticeClaims } from '#functions/mail-events/s3-notice-claims.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/defined.ts';

test('only one of many claims in the same millisecond is granted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-claims-'));
  const sandbox = await startAwsSandbox({ directory });
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: defined(sandbox.environment['AWS_ENDPOINT_URL_S3']),
    credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
  });
  onTestFinished(async () => {
    client.destroy();
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });
  const claims = new S3NoticeClaims(client, 'data');
  const now = Date.parse('2026-11-21T03:00:00Z');
  const granted = await Promise.all(Array.from({ length: 20 }, () => claims.claim('one', now)));
  expect(granted.filter(Boolean)).toHaveLength(1);
});
