import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetSendQuotaCommand } from '@aws-sdk/client-ses';
import { ListTopicsCommand } from '@aws-sdk/client-sns';
import { createS3Client } from '#runtime/s3-client.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { createMailClient } from '#mail/ses-mail-sender.ts';
import { createNoticeClient } from '#mail/notices/sns-publisher.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
});
afterEach(() => vi.unstubAllEnvs());

const refuse = () => Promise.reject(new Error('not sent'));

it('every client calls AWS over TLS', async () => {
  const [s3, secrets, mail, notices] = [
    createS3Client(),
    createSecretsManagerClient(),
    createMailClient(),
    createNoticeClient(),
  ];
  const handlers = [s3, secrets, mail, notices].map(({ config }) =>
    vi.spyOn(config.requestHandler, 'handle').mockImplementation(refuse),
  );
  await expect(s3.send(new ListBucketsCommand())).rejects.toThrow();
  await expect(secrets.send(new GetSecretValueCommand({ SecretId: 'x' }))).rejects.toThrow();
  await expect(mail.send(new GetSendQuotaCommand())).rejects.toThrow();
  await expect(notices.send(new ListTopicsCommand())).rejects.toThrow();
  for (const handle of handlers) {
    expect(handle).toHaveBeenCalledWith(expect.objectContaining({ protocol: 'https:' }), expect.anything());
  }
});
