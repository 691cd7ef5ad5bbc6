import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { requestHandler } from './aws-clients.ts';
import type { Publish } from '#mailing/ops/ops-notices.ts';

/** A client of SNS. Region, credentials and endpoint come from the standard variables. */
export function createNoticeClient(): SNSClient {
  return new SNSClient({ maxAttempts: 3, requestHandler: requestHandler(10_000) });
}

/** Publishes notices with that client. */
export function snsPublisher(client: SNSClient = createNoticeClient()): Publish {
  return async (notice, milliseconds) => {
    await client.send(new PublishCommand(notice), { abortSignal: AbortSignal.timeout(milliseconds) });
  };
}
