import PostalMime from 'postal-mime';
import type { Address } from 'postal-mime';

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
export async function mailFromHeaders(raw: Buffer): Promise<MailHeaders> {
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
