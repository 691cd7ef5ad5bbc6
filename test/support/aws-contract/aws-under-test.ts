import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { portOf } from '#sandbox/ports.ts';
import { responseTo } from '#support/assertions/response-to.ts';
import { setTimeout } from 'node:timers/promises';
import { SES } from '@aws-sdk/client-ses';
import { SNS } from '@aws-sdk/client-sns';
import * as z from 'zod';
import { defined } from '#support/assertions/defined.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { randomBytes } from 'node:crypto';
import { S3, S3ServiceException, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
} from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll } from 'vitest';
import { createS3Client } from '#runtime/s3-client.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { createMailClient } from '#mail/ses-mail-sender.ts';
import { createNoticeClient } from '#mail/notices/sns-publisher.ts';
import { differs } from './known-differences.ts';
import { newDirectory } from '#support/new-directory.ts';

/** One relayed request. */
interface Relayed {
  method: string;
  /** The path below the bucket, decoded. */
  key: string;
  query: URLSearchParams;
  /** The status of the service's answer, even when the client did not get it. */
  status: number;
}

/**
 * Forwards requests of a client to a service, records them, and can lose an answer.
 *
 * @param endpoint of the service, `http://127.0.0.1:<port>`
 */
async function startRelay(endpoint: string) {
  const relayed: Relayed[] = [];
  const toLose: ((request: Omit<Relayed, 'status'>) => boolean)[] = [];
  let lastWrite: Promise<unknown> | undefined;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', endpoint);
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const about = { method: request.method ?? '', key, query };
    const lost = toLose.findIndex((isMeant) => isMeant(about));
    if (lost >= 0) toLose.splice(lost, 1);

    // This server answers `Expect: 100-continue` itself, and the service gets the body without it.
    const { expect: _expect, connection: _connection, ...headers } = request.headers;
    const outgoing = forward(new URL(endpoint), { method: about.method, path: request.url, headers });
    const [answer] = await Promise.all([responseTo(outgoing), pipeline(request, outgoing)]);
    relayed.push({ ...about, status: answer.statusCode ?? 0 });
    if (lost >= 0) {
      await buffer(answer);
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  const server = createServer((request, response) => {
    const conditions = [request.headers['if-match'], request.headers['if-none-match']];
    const isGuarded = request.method === 'PUT' && conditions.some((condition) => condition !== undefined);
    const turn = isGuarded ? lastWrite : undefined;
    const done = Promise.resolve(turn)
      .then(() => relay(request, response))
      // The client or the service closed the connection.
      .catch(() => response.destroy());
    if (isGuarded && lastWrite !== undefined) lastWrite = done;
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    /** The requests since the last call. */
    taken: () => relayed.splice(0),
    /** Forwards the next such request, and then loses its answer with the connection. */
    loseAnswer: (of: (typeof toLose)[number]) => void toLose.push(of),
    /** From now on forwards conditional writes one after another, for a service that does not isolate them. */
    oneWriteAtATime: () => {
      lastWrite = Promise.resolve();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The part of `/moto-api/data.json` that the suite reads. */
const modelsSchema = z.object({
  ses: z.object({
    RawMessage: z.array(
      z.object({
        id: z.string(),
        source: z.string(),
        destinations: z.array(z.string()),
        raw_data: z.string(),
      }),
    ),
  }),
  sns: z.object({
    Topic: z.array(
      z.object({
        arn: z.string(),
        /** Message id, message, subject, attributes, group. */
        sent_notifications: z.array(
          z.tuple([z.string(), z.string(), z.string().nullable()]).rest(z.unknown()),
        ),
      }),
    ),
  }),
});

const MOST_READS = 5;

/** Moto walks over all of its data to make the page, and answers with an error page when a test changes data meanwhile. */
async function readData(url: string): Promise<unknown> {
  for (let reads = 1; ; reads += 1) {
    const answer = await fetch(url);
    if (answer.ok) return await answer.json();
    if (reads === MOST_READS)
      throw new Error(`${url} failed ${reads} times, last with HTTP ${answer.status}`);
    await answer.body?.cancel();
    await setTimeout(100 * reads);
  }
}

/** An AWS of any kind, with what only its test interface can do or show. */
type AwsTarget = ReturnType<typeof motoTarget>;

/** The server of moto, an independent implementation: every service behind one address. */
function motoTarget(endpoint: string) {
  const credentials = { accessKeyId: 'moto', secretAccessKey: 'moto' };
  const region = 'us-east-1';
  const ses = new SES({ endpoint, region, credentials });
  const sns = new SNS({ endpoint, region, credentials });
  const models = async () => {
    // Without this, open uploads make the page fail, because their parts look for a bucket to be restored.
    await fetch(`${endpoint}/moto-api/state-manager/set-transition`, {
      method: 'POST',
      body: JSON.stringify({
        model_name: 's3::keyrestore',
        transition: { progression: 'manual', times: 1_000_000 },
      }),
    });
    return modelsSchema.parse(await readData(`${endpoint}/moto-api/data.json`));
  };
  /** The variables from which the SDK takes endpoints, region and (dummy) credentials. */
  const environment: Record<string, string> = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_ENDPOINT_URL_SES: endpoint,
    AWS_ENDPOINT_URL_SNS: endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  return {
    environment,
    /** Allows mail from the address, which is refused before. */
    verifySender: async (address: string) => {
      await ses.verifyEmailIdentity({ EmailAddress: address });
    },
    /** Mail whose envelope names the address, oldest first. */
    mailsTo: async (address: string) => {
      const { RawMessage } = (await models()).ses;
      return RawMessage.filter(({ destinations }) => destinations.includes(address)).map(
        ({ id, source, destinations, raw_data }) => ({ messageId: id, source, destinations, raw: raw_data }),
      );
    },
    /** A topic of that name. @returns its ARN */
    createTopic: async (Name: string) => defined((await sns.createTopic({ Name })).TopicArn),
    noticesOf: async (topicArn: string) => {
      const topic = (await models()).sns.Topic.find(({ arn }) => arn === topicArn);
      return (topic?.sent_notifications ?? []).map(([, message, subject]) => ({
        subject: subject ?? undefined,
        message,
      }));
    },
    close: () => {
      ses.destroy();
      sns.destroy();
      return Promise.resolve();
    },
  };
}

/** Our own loopbacks, on a new directory. */
async function startLoopbackTarget(): Promise<AwsTarget> {
  const sandbox = await startAwsSandbox({ directory: newDirectory() });
  const senders = new Set<string>();
  const topics = new Set<string>();
  sandbox.mail.verifiedSenders = senders;
  sandbox.notices.topics = topics;
  return {
    environment: sandbox.environment,
    verifySender: (address) => {
      senders.add(address);
      return Promise.resolve();
    },
    mailsTo: (address) =>
      Promise.resolve(
        sandbox.mail.messages
          .filter(({ destinations }) => destinations.includes(address))
          .map(({ raw, ...mail }) => ({ ...mail, raw: raw.toString() })),
      ),
    createTopic: (name) => {
      const arn = `arn:aws:sns:us-east-1:000000000000:${name}`;
      topics.add(arn);
      return Promise.resolve(arn);
    },
    noticesOf: (topicArn) =>
      Promise.resolve(
        sandbox.notices.messages
          .filter((notice) => notice.topicArn === topicArn)
          .map(({ subject, message }) => ({ subject, message })),
      ),
    close: () => sandbox.close(),
  };
}

const endpoint = process.env['DAYBOOK_AWS_ENDPOINT'];

function clientsOfProduction() {
  return {
    s3: createS3Client(),
    secretsManager: createSecretsManagerClient(),
    ses: createMailClient(),
    sns: createNoticeClient(),
    sqs: new SQS(),
  };
}

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
  const clients = clientsOfProduction();
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
    write: async (Key: string, Body: string | Uint8Array) => {
      await s3.putObject({ Bucket, Key, Body });
    },
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
    remove: async (Key: string) => {
      await s3.deleteObject({ Bucket, Key });
    },
    keys: async (Prefix = '') => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix }))
        keys.push(...Contents.map(({ Key = '' }) => Key));
      return keys;
    },
  };
}
