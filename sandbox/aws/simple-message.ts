import { listParameter } from './query-protocol.ts';

/** The raw message that SES makes from a SendEmail request: the text, or else the HTML, as one part in UTF-8. */
export function simpleMessage(parameters: URLSearchParams): Buffer {
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
