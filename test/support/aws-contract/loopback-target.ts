import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import type { AwsTarget } from './aws-target.ts';

/** Our own loopbacks, on a new directory. */
export async function startLoopbackTarget(): Promise<AwsTarget> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-contract-'));
  const sandbox = await startAwsSandbox({ directory });
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
    close: async () => {
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
