import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { SendRawEmailCommand } from '@aws-sdk/client-ses';
import { describe, expect, test } from 'vitest';
import { readText } from '#runtime/s3-objects.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET, differs } from '#support/aws-contract/known-differences.ts';
import { defined } from '#support/assertions/defined.ts';
import * as z from 'zod';

// A test here fails when its difference is repaired; then remove it from the list. Conditions that are not atomic have
// no test, because they fail only now and then.
const aws = await awsUnderTest();
const { s3, ses } = aws.clients;
const Bucket = aws.bucket;

const refusalSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number().optional() }) });

/** The HTTP status of a request's answer. */
async function statusOf(request: Promise<{ $metadata: { httpStatusCode?: number } }>): Promise<unknown> {
  try {
    return (await request).$metadata.httpStatusCode;
  } catch (error) {
    const refusal = refusalSchema.safeParse(error).data;
    return refusal?.$metadata.httpStatusCode ?? String(error);
  }
}

describe(`a known difference from AWS is as the list says, on ${TARGET}:`, () => {
  test('ifMatchOnCompletionIsIgnored', async () => {
    const Key = 'completed';
    await aws.write(Key, 'standing');
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { Bucket, Key, UploadId, PartNumber: 1 };
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body: 'new' }));
    const complete = new CompleteMultipartUploadCommand({
      Bucket,
      Key,
      UploadId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      IfMatch: '"00000000000000000000000000000000"',
    });
    expect(await statusOf(s3.send(complete))).toBe(differs('ifMatchOnCompletionIsIgnored') ? 200 : 412);
  });

  test('ifNoneMatchTakesOnlyTheStar', async () => {
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: 'star', Body: 'one' }));
    const put = new PutObjectCommand({ Bucket, Key: 'star', Body: 'two', IfNoneMatch: ETag });
    const standing = await statusOf(s3.send(put));
    if (differs('ifNoneMatchTakesOnlyTheStar')) expect(standing).toBe(200);
    else expect(standing).toContain('NotImplemented');
  });

  test.skipIf(TARGET === 'loopback')('etagIsAlwaysTheMd5', async () => {
    const put = new PutObjectCommand({ Bucket, Key: 'kms', Body: 'x', ServerSideEncryption: 'aws:kms' });
    await s3.send(put);
    const { ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'kms' }));
    expect(ETag === `"${createHash('md5').update('x').digest('hex')}"`).toBe(differs('etagIsAlwaysTheMd5'));
  });

  test('envelopeHasTheHeadersToo, mailTagsAreNotKept', async () => {
    const from = `differs-${aws.mark}@example.com`;
    const to = `envelope-${aws.mark}@example.com`;
    const header = `header-${aws.mark}@example.com`;
    await aws.verifySender(from);
    const raw = `From: ${from}\r\nTo: ${header}\r\nSubject: x\r\n\r\nx\r\n`;
    const send = new SendRawEmailCommand({
      Destinations: [to],
      RawMessage: { Data: Buffer.from(raw) },
      ConfigurationSetName: 'nowhere',
      Tags: [{ Name: 'kind', Value: 'report' }],
    });
    // The loopback accepts any configuration set, as its README says: Daybook never uses a missing one.
    expect(await statusOf(ses.send(send))).toBe(200);
    const [mail] = await aws.mailsTo(to);
    expect(defined(mail).destinations).toEqual(differs('envelopeHasTheHeadersToo') ? [to, header] : [to]);
  });

  test('everyBucketExists', async () => {
    const read = readText(s3, `${Bucket}-nowhere`, 'key');
    if (differs('everyBucketExists')) expect(await read).toBeUndefined();
    else await expect(read).rejects.toMatchObject({ name: 'StorageError', code: 'NoSuchBucket' });
  });
});
