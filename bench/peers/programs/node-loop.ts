import { S3Client } from '@aws-sdk/client-s3';
import { byHttp, byFetch, tunedLoop } from '../../ways/tuned.ts';
import { readTask } from './task.ts';

/** The tuned loop of the bench as a program. The second argument says how it asks: `fetch` or `http`. */
const task = readTask();
const { key, iv, merchant_code: merchantCode, access_code: accessCode, username, password } = task;
const cipher = { algorithm: 'aes-256-cbc' as const, key, iv };
const client = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
await tunedLoop(
  {
    origin: task.origin,
    merchant: { merchantCode, accessCode, cipher, username, password },
    day: task.day,
  },
  { client, bucket: process.env['DATA_BUCKET'] ?? '', prefix: '' },
  process.argv[3] === 'http' ? byHttp : byFetch,
);
process.exit(0);
