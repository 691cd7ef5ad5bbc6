import { OpsNotices } from '#mail/notices/ops-notices.ts';
import { SesMailSender } from '#mail/ses-mail-sender.ts';
import { snsPublisher } from '#mail/notices/sns-publisher.ts';
import { systemClock } from '#runtime/clock.ts';
import { aNotice } from '#support/rendering/alerts.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { defined } from '#support/assertions/index.ts';

const aws = await awsUnderTest();
const FROM = `daybook-${aws.mark}@example.com`;
const OPS = `ops-${aws.mark}@example.com`;
await aws.verifySender(FROM);
const topicArn = await aws.createTopic(`daybook-${aws.mark}`);

/** Notifies ops as a cold start of a function does; `logged` gets the failures. */
function notices(changes: { topicArn?: string; from?: string } = {}) {
  const logged: string[] = [];
  const settings = { topicArn, from: FROM, ...changes };
  const ops = new OpsNotices({
    s3: aws.clients.s3,
    bucket: aws.bucket,
    recipients: [OPS],
    mailSender: new SesMailSender({ client: aws.clients.ses, from: settings.from }),
    publish: snsPublisher(aws.clients.sns),
    clock: systemClock,
    log: (message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    ...settings,
  });
  return { ops, logged };
}

const HELD = aNotice({ happened: 'Mail held — متجر', meaning: ['One mail of 700001 is held.'] });

/** The answers to mails and notices since the last call. */
const answers = () => [aws.ses, aws.sns].map((relay) => relay.taken().map(({ status }) => status));

test('reach ops once by mail and once over the topic', async () => {
  const { ops, logged } = notices();
  await ops.notifyOnce(HELD);
  await ops.notifyOnce(HELD);
  expect(logged).toEqual([]);
  expect(answers()).toEqual([[200], [200]]);
  expect(await aws.mailsTo(OPS)).toHaveLength(1);
  const { subject, message } = defined((await aws.noticesOf(topicArn))[0]);
  // SNS accepts only printable ASCII as a subject; the message has the whole subject.
  expect(subject).toMatch(/^[\x20-\x7e]{1,99}$/);
  for (const part of ['Mail held — متجر', 'One mail of 700001 is held.']) expect(message).toContain(part);
  expect(await aws.keys('mail/ops/')).toHaveLength(1);
});

test('are still mailed when the topic does not exist', async () => {
  const { ops, logged } = notices({ topicArn: `${topicArn}-nowhere` });
  await ops.notifyOnce(aNotice({ about: 'no topic' }));
  expect(answers()).toEqual([[200], [404]]);
  expect(logged).toEqual(['ops topic was not notified {"errorName":"NotFoundException"}']);
});

test('are published again when the answer of SNS is lost: nobody knows whether it was published', async () => {
  const { ops, logged } = notices();
  aws.sns.loseAnswer(() => true);
  const notice = aNotice({ about: 'no answer' });
  for (let time = 0; time < 2; time += 1) expect(await ops.notifyOnce(notice)).toBe(true);
  expect(answers()).toEqual([[200], [200, 200]]);
  expect(logged).toEqual([]);
});

test('are still published when the sender is not verified', async () => {
  const { ops, logged } = notices({ from: `stranger-${aws.mark}@example.com` });
  await ops.notifyOnce(aNotice({ about: 'no sender' }));
  expect(answers()).toEqual([[400], [200]]);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('MessageRejected (400)');
});
