import { setTimeout } from 'node:timers/promises';
import { SES } from '@aws-sdk/client-ses';
import { SNS } from '@aws-sdk/client-sns';
import * as z from 'zod';
import { defined } from '#support/assertions/index.ts';

/** The part of `/moto-api/data.json` that the suite reads. */
const modelsSchema = z.object({
  ses: z.object({
    RawMessage: z.array(
      z
        .object({
          id: z.string(),
          source: z.string(),
          destinations: z.array(z.string()),
          raw_data: z.string(),
        })
        .transform(({ id, raw_data, ...mail }) => ({ ...mail, messageId: id, raw: raw_data })),
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

/** The server of moto, an independent implementation, with what only its test interface can do or show. */
export function motoTarget(endpoint: string) {
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
  const services = ['S3', 'SECRETS_MANAGER', 'SES', 'SNS', 'SQS'];
  /** The variables from which the SDK takes endpoints, region and (dummy) credentials. */
  const environment: Record<string, string> = {
    ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint])),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  return {
    environment,
    /** Allows mail from the address, which is refused before. */
    verifySender: (EmailAddress: string) => ses.verifyEmailIdentity({ EmailAddress }),
    /** Mail whose envelope names the address, oldest first. */
    mailsTo: async (address: string) => {
      const { RawMessage } = (await models()).ses;
      return RawMessage.filter(({ destinations }) => destinations.includes(address));
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
