import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { BUCKET, nextDays } from '../days.ts';
import type { ReaderTask } from '../measure.ts';
import { bareLoop } from './loops.ts';

/*
 * The least that a small report needs, by hand: the day is read and packed, and AWS gets the same kinds of calls with as
 * many bytes, one after the other, with the SDK as it comes. Nothing is checked, rendered or written as MIME.
 */

const s3 = new S3Client();
const ses = new SESClient();

/** Bytes of what a report writes: two tables in two formats, manifest, history, record, and the ledger twice. */
const WRITTEN = [6_000, 5_000, 100, 500, 12_000, 14_000, 500, 1_000, 1_200];
const MAIL_BYTES = 48_000;

async function get(key: string): Promise<void> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
    if (Body instanceof Readable) await text(Body);
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error;
  }
}

async function put(key: string, bytes: number): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: 'x'.repeat(bytes) }));
}

async function list(prefix: string): Promise<void> {
  await s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }));
}

async function mail(): Promise<void> {
  const head = 'From: daybook@example.com\r\nTo: owner@example.com\r\nSubject: bare\r\n\r\n';
  const raw = Buffer.from(head + `${'x'.repeat(76)}\r\n`.repeat(MAIL_BYTES / 78));
  await ses.send(
    new SendRawEmailCommand({
      Source: 'daybook@example.com',
      Destinations: ['owner@example.com'],
      RawMessage: { Data: raw },
    }),
  );
}

/** The day's rows and the fourteen calls of a report. */
export async function bareReports(task: ReaderTask): Promise<number> {
  const reported = nextDays(task.day);
  for (const day of reported) {
    await get('bare/registry');
    await list(`bare/${day}/`);
    await get('bare/5');
    await bareLoop({ ...task, day });
    for (const [index, bytes] of WRITTEN.entries()) await put(`bare/${index}`, bytes);
    await get('bare/stop');
    await mail();
  }
  return reported.length;
}

/** The day's rows and the five calls of a look at a day that has not changed. */
export async function bareUnchanged(task: ReaderTask): Promise<number> {
  const looked = nextDays(task.day);
  for (const day of looked) {
    await get('bare/registry');
    await list(`bare/${day}/`);
    await get('bare/4');
    await get('bare/6');
    await bareLoop({ ...task, day });
    await put('bare/6', 500);
  }
  return looked.length;
}
