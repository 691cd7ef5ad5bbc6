import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { randomBytes } from 'node:crypto';
import { S3, S3ServiceException, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
} from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { createS3Client } from '#runtime/s3-client.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { createMailClient } from '#mail/ses-mail-sender.ts';
import { createNoticeClient } from '#mail/notices/sns-publisher.ts';
import { differs } from './known-differences.ts';
import { motoTarget } from './moto-target.ts';
import { startRelay } from './relay.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

/** Our own loopbacks, on a new directory. */
async function startLoopbackTarget() {
  const sandbox = await startAwsSandbox({ directory: newDirectory() });
  const senders = new Set<string>();
  const topics = new Set<string>();
  sandbox.mail.verifiedSenders = senders;
  sandbox.notices.topics = topics;
  return {
    environment: sandbox.environment,
    verifySender: (address: string) => senders.add(address),
    mailsTo: (address: string) =>
      sandbox.mail.messages
        .filter(({ destinations }) => destinations.includes(address))
        .map(({ raw, ...mail }) => ({ ...mail, raw: raw.toString() })),
    createTopic: (name: string) => {
      const arn = `arn:aws:sns:us-east-1:000000000000:${name}`;
      topics.add(arn);
      return arn;
    },
    noticesOf: (topicArn: string) =>
      sandbox.notices.messages.filter((notice) => notice.topicArn === topicArn),
    close: () => sandbox.close(),
  };
}

const endpoint = process.env['DAYBOOK_AWS_ENDPOINT'];

/**
 * An AWS for one file of tests, with the functions' own clients: both are made as in production, from the standard
 * variables. What it keeps is the file's own (bucket, names), as the files share one server. It is started or found, and
 * closed after the tests of the file. For the top of a test file.
 */
export async function awsUnderTest() {
  const target = endpoint === undefined ? await startLoopbackTarget() : motoTarget(endpoint);
  // Does not use the relays, so they record only the requests of the functions.
  const own = new S3({
    endpoint: defined(target.environment['AWS_ENDPOINT_URL_S3']),
    region: defined(target.environment['AWS_REGION']),
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const relayOf = async (service: string) => {
    const variable = `AWS_ENDPOINT_URL_${service}`;
    const relay = await startRelay(defined(target.environment[variable], variable));
    target.environment[variable] = relay.url;
    return relay;
  };
  const relays = {
    s3: await relayOf('S3'),
    secretsManager: await relayOf('SECRETS_MANAGER'),
    ses: await relayOf('SES'),
    sns: await relayOf('SNS'),
    sqs: await relayOf('SQS'),
  };
  Object.assign(process.env, target.environment);
  const clients = {
    s3: createS3Client(),
    secretsManager: createSecretsManagerClient(),
    ses: createMailClient(),
    sns: createNoticeClient(),
    sqs: new SQS(),
  };
  afterAll(async () => {
    for (const client of [own, ...Object.values(clients)]) client.destroy();
    await Promise.all(Object.values(relays).map((relay) => relay.close()));
    await target.close();
  });

  const mark = randomBytes(4).toString('hex');
  const bucket = `daybook-${mark}`;
  if (!differs('everyBucketExists')) await own.createBucket({ Bucket: bucket });
  if (differs('conditionsAreNotAtomic')) relays.s3.oneWriteAtATime();
  return {
    ...target,
    bucket,
    /** A text that is in the names of this file of tests only. */
    mark,
    clients,
    ...relays,
    ...objectsOf(own, bucket),
    /** Creates the secret or gives it a new value, as a rotation does. */
    putSecret: async (Name: string, SecretString: string) => {
      try {
        await clients.secretsManager.send(new CreateSecretCommand({ Name, SecretString }));
      } catch (error) {
        if (!(error instanceof ResourceExistsException)) throw error;
        await clients.secretsManager.send(new PutSecretValueCommand({ SecretId: Name, SecretString }));
      }
    },
  };
}

function objectsOf(s3: S3, Bucket: string) {
  return {
    write: (Key: string, Body: string | Uint8Array) => s3.putObject({ Bucket, Key, Body }),
    /** `undefined` when there is no such object. */
    read: async (Key: string) => {
      try {
        const { Body } = await s3.getObject({ Bucket, Key });
        return Buffer.from(await defined(Body).transformToByteArray());
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
        throw error;
      }
    },
    remove: (Key: string) => s3.deleteObject({ Bucket, Key }),
    keys: async (Prefix = '') => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix }))
        keys.push(...Contents.map(({ Key = '' }) => Key));
      return keys;
    },
  };
}
