/** An HTTP answer before it is sent. The content-length is that of the body. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Why the service refused. It is only recorded, never sent. */
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
