import PostalMime, { type Attachment } from 'postal-mime';

/** The bytes of a file in a mail. Throws `TypeError` when the parser gave a text instead. */
export function attachmentBytes({ content }: Attachment): Buffer {
  if (typeof content === 'string') throw new TypeError('this attachment was read as a text');
  return Buffer.from(new Uint8Array(content));
}

/** The headers `X-Daybook-…` of a message, by their names in lower case. */
export async function daybookHeadersIn(raw: Uint8Array): Promise<Record<string, string>> {
  const { headers } = await PostalMime.parse(raw);
  const ours = headers.filter(({ key }) => key.startsWith('x-daybook-'));
  return Object.fromEntries(ours.map(({ key, value }) => [key, value]));
}
