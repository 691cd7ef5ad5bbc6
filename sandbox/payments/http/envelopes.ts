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

/** An error body (docs/contract.md, 7 Errors), with its HTTP status. */
interface ErrorBody {
  status: number;
  body: string;
}

const refused = (message: string): string => JSON.stringify({ status: false, message, response: null });

export const ERROR_BODIES = {
  notFound: { status: 404, body: refused('Request not found, Please verify the request data') },
  forbidden: { status: 403, body: refused('Forbidden Access') },
  /** The same body, for a token that is unknown or has expired. */
  unauthorized: { status: 401, body: refused('Forbidden Access') },
  invalidData: {
    status: 422,
    body: JSON.stringify({ status: false, code: 506, message: 'Invalid Request Data', response: null }),
  },
  serverError: { status: 500, body: JSON.stringify({ message: 'Internal server error occurred' }) },
  invalidSignature: { status: 404, body: refused('Invalid Signature.') },
} as const satisfies Record<string, ErrorBody>;

/** Thrown when the service answers with an error body. The message is the reason; the client never sees it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly error: keyof typeof ERROR_BODIES;

  constructor(error: keyof typeof ERROR_BODIES, why: string) {
    super(why);
    this.error = error;
  }
}

/** `{"status":true,"message":…,"response":…}` around JSON text, with the members of `extra`. */
export function envelope(message: string, responseText: string, extra: Record<string, unknown>): string {
  return withMembers(
    `{"status":true,"message":${JSON.stringify(message)},"response":${responseText}}`,
    extra,
  );
}

/** JSON text of an object with members added at its end. Other text, or no members: the text does not change. */
export function withMembers(text: string, extra: Record<string, unknown>): string {
  const members = JSON.stringify(extra).slice(1, -1);
  if (members === '' || !text.endsWith('}')) return text;
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${members}}`;
}

interface Paging {
  total: number;
  count: number;
  perPage: number;
  page: number;
  url: string;
}

/** The last page's number. A list without records has one empty page. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** `pagination` (docs/contract.md, 2.2 Invoice list response). */
export function pagination(paging: Paging): Record<string, unknown> {
  const { total, count, perPage, page, url } = paging;
  const totalPages = lastPage(total, perPage);
  return {
    total,
    count,
    per_page: perPage,
    current_page: page,
    total_pages: totalPages,
    page_url: url,
    next_page_url: page < totalPages ? `${url}?page=${page + 1}` : null,
    previous_page_url: page > 1 ? `${url}?page=${page - 1}` : null,
  };
}
