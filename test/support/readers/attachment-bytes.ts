import type { Attachment } from 'postal-mime';

/** The bytes of a file in a mail. Throws `TypeError` when the parser gave a text instead. */
export function attachmentBytes({ content }: Attachment): Buffer {
  if (typeof content === 'string') throw new TypeError('this attachment was read as a text');
  return Buffer.from(new Uint8Array(content));
}
