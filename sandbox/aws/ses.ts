import type { MailStore } from './mail-store.ts';
import { listParameter, queryAnswer, queryRefusal, readQueryRequest } from './query-protocol.ts';
import { ServiceError } from './service.ts';
import type { Answer, Service } from './service.ts';
import PostalMime from 'postal-mime';
import type { Address } from 'postal-mime';

/** The raw message that SES makes from a SendEmail request: the text, or else the HTML, as one part in UTF-8. */
function simpleMessage(parameters: URLSearchParams): Buffer {
  const part = (name: string) => parameters.get(`Message.${name}.Data`);
  const text = part('Body.Text');
  const addresses = (kind: string) => listParameter(parameters, `Destination.${kind}Addresses`).join(', ');
  const replyTo = listParameter(parameters, 'ReplyToAddresses').join(', ');
  const headers: [string, string][] = [
    ['From', parameters.get('Source') ?? ''],
    ['To', addresses('To')],
    ['Cc', addresses('Cc')],
    ['Reply-To', replyTo],
    ['Subject', `=?UTF-8?B?${base64(part('Subject') ?? '')}?=`],
    ['MIME-Version', '1.0'],
    ['Content-Type', `text/${text === null ? 'html' : 'plain'}; charset=UTF-8`],
    ['Content-Transfer-Encoding', 'base64'],
  ];
  const lines = headers.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
  const body = base64(text ?? part('Body.Html') ?? '').replace(/.{76}/g, '$&\r\n');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}\r\n`);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** What SES reads from a raw message's headers when the request does not give it. */
interface MailHeaders {
  from: string | undefined;
  /** To, Cc and Bcc, in this order. */
  recipients: string[];
  /** Of `X-SES-MESSAGE-TAGS: name=value, …` */
  tags: Record<string, string>;
  /** Of `X-SES-CONFIGURATION-SET` */
  configurationSetName: string | undefined;
}

/** Reads the headers of a raw message. It does not read the body, which may be large. */
async function mailFromHeaders(raw: Buffer): Promise<MailHeaders> {
  const mail = await PostalMime.parse(headerSection(raw));
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  const tags = (header('x-ses-message-tags') ?? '')
    .split(',')
    .map((pair) => pair.split('=', 2).map((part) => part.trim()))
    .flatMap(([name = '', value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    from: mail.from?.address,
    recipients: [mail.to, mail.cc, mail.bcc].flatMap((list) => addresses(list ?? [])),
    tags: Object.fromEntries(tags),
    configurationSetName: header('x-ses-configuration-set')?.trim(),
  };
}

function headerSection(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end >= 0 ? raw.subarray(0, end + 4) : raw;
}

function addresses(list: readonly Address[]): string[] {
  return list.flatMap(({ address, group }) => (group ? addresses(group) : address ? [address] : []));
}

const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';
const maxRawBytes = 10_485_760;
const maxRecipients = 50;
const tagText = /^[A-Za-z0-9_-]{1,256}$/;

/** SES v1: SendRawEmail, and SendEmail in its simple form. Senders are checked if the store has a list of verified ones. */
export function sesService(mail: MailStore): Service {
  return {
    name: 'ses',
    identify: async (request) => {
      const { action, parameters } = await readQueryRequest(request);
      return {
        operation: action || 'Unknown',
        key: recipientsGiven(action, parameters).join(','),
        perform: (requestId) => send(mail, action, parameters, requestId),
      };
    },
    refuse: (error, requestId) => queryRefusal(namespace, error, requestId),
  };
}

function recipientsGiven(action: string, parameters: URLSearchParams): string[] {
  if (action === 'SendRawEmail') return listParameter(parameters, 'Destinations');
  return ['To', 'Cc', 'Bcc'].flatMap((kind) => listParameter(parameters, `Destination.${kind}Addresses`));
}

async function send(
  mail: MailStore,
  action: string,
  parameters: URLSearchParams,
  requestId: string,
): Promise<Answer> {
  const raw = rawMessage(action, parameters);
  if (raw.length > maxRawBytes) {
    throw invalid(`Message length is more than ${maxRawBytes} bytes long: '${raw.length}'.`);
  }
  const headers = await mailFromHeaders(raw);
  if (headers.from === undefined) throw invalid("Missing required header 'From'.");
  const given = recipientsGiven(action, parameters);
  const destinations = given.length > 0 ? given : headers.recipients;
  if (destinations.length === 0) throw invalid('Missing recipients: neither Destinations nor a To header.');
  if (destinations.length > maxRecipients) throw invalid(`Recipient count exceeds ${maxRecipients}.`);
  const source = parameters.get('Source') ?? headers.from;
  const unverified = [source, headers.from].filter((address) => !mail.isVerified(address));
  if (unverified.length > 0) throw notVerified(unverified);
  const configurationSetName = parameters.get('ConfigurationSetName') ?? headers.configurationSetName;
  const sent = mail.add({
    source,
    destinations,
    tags: { ...headers.tags, ...tagsGiven(parameters) },
    ...(configurationSetName !== undefined && { configurationSetName }),
    raw,
  });
  return queryAnswer(namespace, action, { MessageId: sent.messageId }, requestId);
}

function rawMessage(action: string, parameters: URLSearchParams): Buffer {
  switch (action) {
    case 'SendRawEmail':
      return Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64');
    case 'SendEmail':
      return simpleMessage(parameters);
    default:
      throw new ServiceError(
        400,
        'InvalidAction',
        `Could not find operation ${action} in the sandbox's SES.`,
      );
  }
}

function tagsGiven(parameters: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let n = 1; parameters.has(`Tags.member.${n}.Name`); n += 1) {
    const name = parameters.get(`Tags.member.${n}.Name`) ?? '';
    const value = parameters.get(`Tags.member.${n}.Value`) ?? '';
    if (!tagText.test(name))
      throw invalid(`Invalid tag name <${name}>: only ASCII letters, digits, '_' and '-'.`);
    if (!tagText.test(value))
      throw invalid(`Invalid tag value <${value}>: only ASCII letters, digits, '_' and '-'.`);
    if (name in tags) throw invalid(`Duplicate tag name <${name}>.`);
    tags[name] = value;
  }
  return tags;
}

function notVerified(addresses: readonly string[]): ServiceError {
  const failed = [...new Set(addresses)].join(', ');
  return new ServiceError(
    400,
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region US-EAST-1: ${failed}`,
  );
}

function invalid(message: string): ServiceError {
  return new ServiceError(400, 'InvalidParameterValue', message);
}
