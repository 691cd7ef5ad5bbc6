import PostalMime from 'postal-mime';
import { composeMail } from '#mail/message/mime.ts';
import { SesMailSender } from '#mail/ses-mail-sender.ts';
import type { MailTags } from '#mail/mail-sender.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { defined } from '#support/assertions/index.ts';

const aws = await awsUnderTest();
const SENDER = `daybook-${aws.mark}@example.com`;
const TIMEOUT = 10_000;
await aws.verifySender(SENDER);

const tags: MailTags = { kind: 'report', merchant: '700001', day: '2026-11-20', revision: 'r0001' };
let recipients = 0;

/** A report's mail to a new recipient. */
async function report(from = SENDER) {
  recipients += 1;
  const to = `owner-${recipients}-${aws.mark}@merchants.example`;
  const content = Buffer.from('\uFEFF"a","ب"\r\n');
  const raw = await composeMail({
    from: `دفتر اليومية <${from}>`,
    to,
    subject: 'مقهى الكويت · 2026-11-20',
    text: 'one\ntwo — three\n',
    html: '<p dir="rtl">واحد</p>\n',
    attachments: [{ filename: '700001.csv', content, contentType: 'text/csv' }],
    at: Date.UTC(2026, 10, 21, 3, 0, 7),
  });
  return { to, raw, tags };
}

function sender(from = SENDER): SesMailSender {
  return new SesMailSender({ client: aws.clients.ses, from: `Daybook <${from}>` });
}

/** The answers of the service since the last call, those that were lost included. */
const answers = () => aws.ses.taken().map(({ status }) => status);

test('is accepted from a verified sender under an id, byte for byte', async () => {
  const mail = await report();
  const outcome = await sender().send(mail, TIMEOUT);
  const [taken, ...more] = await aws.mailsTo(mail.to);
  expect(more).toEqual([]);
  expect(answers()).toEqual([200]);
  expect(outcome).toEqual({ kind: 'accepted', messageId: defined(taken).messageId });
  expect(taken).toMatchObject({ source: SENDER, raw: Buffer.from(mail.raw).toString() });
  expect(new Set(defined(taken).destinations)).toEqual(new Set([mail.to]));
  expect(await PostalMime.parse(defined(taken).raw)).toMatchObject({ subject: 'مقهى الكويت · 2026-11-20' });
});

test('is refused for good when the sender is not verified', async () => {
  const from = `stranger-${aws.mark}@example.com`;
  const mail = await report(from);
  const refused = { kind: 'refused', throttled: false, reason: 'MessageRejected (400)' };
  expect(await sender(from).send(mail, TIMEOUT)).toEqual(refused);
  expect(answers()).toEqual([400]);
});

test('has an unknown outcome when the answer is lost, and is sent once', async () => {
  const mail = await report();
  aws.ses.loseAnswer(() => true);
  expect(await sender().send(mail, TIMEOUT)).toEqual({ kind: 'unknown', reason: 'ECONNRESET' });
  expect(answers()).toEqual([200]);
});

test('is sent twice when it is asked for twice: only our ledger prevents a second mail', async () => {
  const mail = await report();
  const first = await sender().send(mail, TIMEOUT);
  const second = await sender().send(mail, TIMEOUT);
  expect([first.kind, second.kind]).toEqual(['accepted', 'accepted']);
  expect(second).not.toEqual(first);
  expect(answers()).toEqual([200, 200]);
});
