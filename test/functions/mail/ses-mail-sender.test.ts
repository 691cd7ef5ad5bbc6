import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createMailClient, SesMailSender } from '#mail/ses-mail-sender.ts';
import type { OutgoingMail, SendOutcome } from '#mail/mail-sender.ts';
import { freePort } from '#sandbox/ports.ts';
import { listening } from '#support/machine.ts';
import { defined } from '#support/assertions/index.ts';

const TIMEOUT = 5_000;

const mail: OutgoingMail = {
  to: 'someone@example.com',
  raw: Buffer.from('From: a@example.com\r\nTo: someone@example.com\r\nSubject: x\r\n\r\nbody\r\n'),
  tags: { kind: 'report', merchant: '700001', day: '2026-11-20', revision: 'r0001', recipient: 'ab12' },
};

const accepted =
  '<SendRawEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><SendRawEmailResult><MessageId>m-1</MessageId></SendRawEmailResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></SendRawEmailResponse>';

function awsError(code: string): string {
  return `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>Address someone@example.com is not verified</Message></Error><RequestId>r</RequestId></ErrorResponse>`;
}

type Script = (response: ServerResponse, request: IncomingMessage) => void;

const answer =
  (status: number, body: string): Script =>
  (response) =>
    response.writeHead(status).end(body);

/** A service that treats every request as the script says, after the whole body has arrived. It counts the requests. */
async function startService(script: Script): Promise<{ url: string; bodies: URLSearchParams[] }> {
  const bodies: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(new URLSearchParams(body));
      script(response, request);
    });
  });
  return { url: `http://${await listening(server)}`, bodies };
}

/** The sender with the functions' own client. */
function senderTo(url: string, configurationSet?: string): SesMailSender {
  vi.stubEnv('AWS_ENDPOINT_URL_SES', url);
  const client = createMailClient();
  onTestFinished(() => client.destroy());
  return new SesMailSender({ client, from: 'دفتر <daybook@example.com>', configurationSet });
}

beforeEach(() => {
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const variables = { AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true', ...credentials };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

describe('a request', () => {
  it('carries sender, recipient, message, tags and configuration set', async () => {
    const service = await startService(answer(200, accepted));
    const outcome = await senderTo(service.url, 'daybook-events').send(mail, TIMEOUT);
    expect(outcome).toEqual({ kind: 'accepted', messageId: 'm-1' });
    expect(Object.fromEntries(defined(service.bodies[0]))).toMatchObject({
      Action: 'SendRawEmail',
      Source: 'daybook@example.com',
      'Destinations.member.1': 'someone@example.com',
      'RawMessage.Data': Buffer.from(mail.raw).toString('base64'),
      'Tags.member.1.Name': 'kind',
      'Tags.member.1.Value': 'report',
      'Tags.member.5.Name': 'recipient',
      'Tags.member.5.Value': 'ab12',
      ConfigurationSetName: 'daybook-events',
    });
  });

  it('names no configuration set if there is none, and no tag without a value', async () => {
    const service = await startService(answer(200, accepted));
    await senderTo(service.url).send({ ...mail, tags: { kind: 'ops' } }, TIMEOUT);
    const names = [...defined(service.bodies[0]).keys()];
    expect(names).not.toContain('ConfigurationSetName');
    expect(names).not.toContain('Tags.member.2.Name');
  });
});

describe('the outcome', () => {
  const refused = (reason: string, throttled = false): SendOutcome => {
    return { kind: 'refused', throttled, reason };
  };
  const unknown = (reason: string): SendOutcome => ({ kind: 'unknown', reason });
  const closing =
    (status: number, start: string): Script =>
    (response, request) => {
      response.writeHead(status, { 'content-length': '500' });
      response.write(start, () => request.socket.destroy());
    };
  type Ending = [string, Script, SendOutcome];
  const endings: Ending[] = [
    ['a refusal of the message', answer(400, awsError('MessageRejected')), refused('MessageRejected (400)')],
    ['an unknown code', answer(403, awsError('SomethingNew')), refused('SomethingNew (403)')],
    ...['Throttling', 'ThrottlingException', 'TooManyRequestsException', 'LimitExceededException'].map(
      (code): Ending => [code, answer(400, awsError(code)), refused(`${code} (400)`, true)],
    ),
    ['an empty 429', answer(429, ''), refused('Unknown (429)', true)],
    ['a code with an address', answer(400, awsError('no a@example.com here')), refused('UnknownError (400)')],
    ['a 400 that is not from AWS', answer(400, '<html><body>denied</body></html>'), unknown('Unknown (400)')],
    ['a 403 that cannot be read', answer(403, 'nope <'), unknown('Error (403)')],
    ['an empty 404', answer(404, ''), unknown('NotFound (404)')],
    ['a redirect', (response) => response.writeHead(302, { location: '/' }).end(), unknown('Unknown (302)')],
    ['a 500 from SES', answer(500, awsError('InternalFailure')), unknown('InternalFailure (500)')],
    ['a 503 with a throttling code', answer(503, awsError('Throttling')), unknown('Throttling (503)')],
    ['an empty 503', answer(503, ''), unknown('Unknown (503)')],
    ['an empty 200', answer(200, ''), unknown('NoMessageId (200)')],
    ['a 200 without an id', answer(200, '<SendRawEmailResponse/>'), unknown('NoMessageId (200)')],
    ['a 200 from another server', answer(200, '<html><p>hi</html>'), unknown('Error (200)')],
    ['a reset', (_response, request) => request.socket.resetAndDestroy(), unknown('ECONNRESET')],
    ['a closed connection', (_response, request) => request.socket.destroy(), unknown('ECONNRESET')],
    ['a connection that closes during a 200', closing(200, '<SendRaw'), unknown('ECONNRESET (200)')],
    ['a connection that closes during a 400', closing(400, '<Error'), unknown('ECONNRESET (400)')],
  ];

  it.each(endings)('of %s', async (_name, script, outcome) => {
    const service = await startService(script);
    expect(await senderTo(service.url).send(mail, TIMEOUT)).toEqual(outcome);
    expect(service.bodies).toHaveLength(1);
  });

  it('of no answer is unknown when the time is over', async () => {
    const service = await startService(() => undefined);
    const before = Date.now();
    expect(await senderTo(service.url).send(mail, 200)).toEqual(unknown('AbortError'));
    expect(Date.now() - before).toBeLessThan(3_000);
    expect(service.bodies).toHaveLength(1);
  });

  it('of an answer that stops in the middle is unknown when the time is over', async () => {
    const service = await startService((response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('<SendRaw');
    });
    expect(await senderTo(service.url).send(mail, 300)).toMatchObject({ kind: 'unknown' });
  });

  it('of a port without a listener is a refusal', async () => {
    const outcome = await senderTo(`http://127.0.0.1:${await freePort()}`).send(mail, TIMEOUT);
    expect(outcome).toEqual(refused('ECONNREFUSED', true));
  });

  it('of a host without an address is a refusal', async () => {
    const outcome = await senderTo('http://ses.invalid').send(mail, TIMEOUT);
    expect(outcome).toMatchObject({ kind: 'refused', throttled: true });
    expect(outcome).toHaveProperty('reason', expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/));
  });

  it('of missing credentials is a refusal, and nothing is sent', async () => {
    const service = await startService(answer(200, accepted));
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
    expect(await senderTo(service.url).send(mail, TIMEOUT)).toEqual(refused('CredentialsProviderError'));
    expect(service.bodies).toHaveLength(0);
  });
});
