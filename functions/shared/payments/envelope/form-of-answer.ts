import type { HttpAnswer } from '../sending/transport.ts';

/** A media type without parameters. Any other text could contain anything. */
const MEDIA_TYPE = /^[a-z]{1,20}\/[a-z0-9][a-z0-9.+-]{0,40}(?=\s*(?:;|$))/;
/** Bytes in which the beginning of a page of HTML shows. */
const BEGINNING = 256;
/** The first bytes of a gzip file (RFC 1952, 2.3.1). */
const GZIP = [0x1f, 0x8b];

function typeOf(contentType: string | undefined): string {
  if (contentType === undefined) return 'no content type';
  return MEDIA_TYPE.exec(contentType.toLowerCase())?.[0] ?? 'another content type';
}

/** What the bytes begin like. */
function beginningOf(body: Buffer): string {
  if (body.length === 0) return 'it is empty';
  if (body[0] === GZIP[0] && body[1] === GZIP[1])
    return 'it begins like gzip, which was not announced or is cut off';
  const text = body
    .toString('latin1', 0, BEGINNING)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^<(?:!doctype html|html|head|body|!--)/i.test(text)) return 'it begins like HTML';
  if (text.startsWith('<')) return 'it begins like XML';
  return /^[{[]/.test(text) ? 'it begins like JSON' : 'it begins with other bytes';
}

/** What can be said of an answer that cannot be read: HTTP status, content type and the kind of its first bytes. It quotes nothing. */
export function formOf({
  exchange,
  contentType,
  body,
}: Pick<HttpAnswer, 'exchange' | 'contentType' | 'body'>): string {
  return `HTTP ${exchange.status}, ${typeOf(contentType)}, ${beginningOf(body)}`;
}
