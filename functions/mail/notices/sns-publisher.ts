import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Publish } from './ops-notices.ts';

export function createNoticeClient(): SNSClient {
  return new SNSClient({ maxAttempts: 3, requestHandler: requestHandler(10_000) });
}

export function snsPublisher(client: SNSClient = createNoticeClient()): Publish {
  return async (notice, milliseconds) => {
    await client.send(new PublishCommand(notice), { abortSignal: AbortSignal.timeout(milliseconds) });
  };
}
