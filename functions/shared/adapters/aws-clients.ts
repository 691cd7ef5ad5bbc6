import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SNSClient } from '@aws-sdk/client-sns';
import { namingFailures } from './storage-error.ts';

/** Without `throwOnRequestTimeout` the SDK only logs that a request took too long, and waits on. */
function requestHandler(requestTimeout: number) {
  return { connectionTimeout: 5_000, requestTimeout, throwOnRequestTimeout: true };
}

/** All attempts together end before a run's time for them does. Region, credentials and endpoints come from the standard variables. */
export function createS3Client(): S3Client {
  return namingFailures(new S3Client({ maxAttempts: 4, requestHandler: requestHandler(8_000) }));
}

export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}

/** One attempt: SES has no idempotency key, so a repeated request may be a second mail. */
export function createMailClient(): SESClient {
  return new SESClient({ maxAttempts: 1, requestHandler: requestHandler(30_000) });
}

export function createNoticeClient(): SNSClient {
  return new SNSClient({ maxAttempts: 3, requestHandler: requestHandler(10_000) });
}
