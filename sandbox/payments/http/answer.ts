/** An HTTP answer before it is sent; the content-length is that of the body. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Why the service refused, for the record only. */
  refusal?: string;
}

export function jsonAnswer(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  };
}
