import type { IncomingHttpHeaders } from 'node:http';
import { authenticate, merchantByAccessCode } from './access.ts';
import {
  jsonAnswer,
  ERROR_BODIES,
  Refusal,
  envelope,
  lastPage,
  pagination,
  withMembers,
  type Answer,
} from './envelopes.ts';
import { answerFingerprint, holdsFor, type Behaviour } from './behaviour.ts';
import { encrypt } from './cipher.ts';
import { invoiceDashboard } from './invoices.ts';
import type { RequestFacts } from './request-facts.ts';
import type { Service } from '../service.ts';
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { listQuery } from './listings.ts';
import { INVOICE_STATUS } from '../day/invoice-record.ts';
import { REFUND_STATUS } from '../day/refund-record.ts';
import { isDay } from '../day/calendar.ts';

/** The bytes of answers by key. The oldest are removed when all together exceed `capacity` bytes. */
export class PageCache {
  readonly #capacity: number;
  readonly #pages = new Map<string, Buffer>();
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, make: () => string): Buffer {
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = Buffer.from(make(), 'utf8');
    this.#pages.set(key, page);
    this.#bytes += page.length;
    for (const [oldest, { length }] of this.#pages) {
      if (this.#bytes <= this.#capacity) break;
      this.#pages.delete(oldest);
      this.#bytes -= length;
    }
    return page;
  }
}

/** Counts invoice list requests, and adds invoices at the top of the last requested day. A new `shift` starts anew. */
function createShift({
  behaviour,
  data,
}: Service): (merchantCode: string, query: Record<string, string>) => void {
  let counting: Behaviour['shift'] = null;
  let requests = 0;
  let shifts = 0;

  return (merchantCode, query) => {
    const { shift } = behaviour;
    if (shift !== counting) {
      counting = shift;
      requests = 0;
      shifts = 0;
    }
    const day = query['toDate'];
    if (shift === null || day === undefined || !isDay(day)) return;
    requests += 1;
    if (requests % shift.every !== 0 || shifts >= shift.times) return;
    shifts += 1;
    for (let more = shift.invoices ?? 1; more > 0; more--) {
      data.insertInvoice(merchantCode, day, { invoice_type: Number(query['invoiceType'] ?? '1') });
    }
  };
}

const MESSAGE = 'Refund requests';

/** `GET /api/v1/refund/{id}` (docs/contract.md, 4.2), decrypted. Throws a Refusal for an unknown id. */
function refundDetails(service: Service, merchantCode: string, path: string): string {
  const { behaviour, store } = service;
  const id = path.slice(path.lastIndexOf('/') + 1);
  const found = /^\d{1,15}$/.test(id) ? store.find('refund', merchantCode, Number(id)) : undefined;
  if (found === undefined) throw new Refusal('notFound', 'the merchant has no refund with this id');
  const record = withMembers(found.stored.record, behaviour.extraRefundFields);
  return envelope(MESSAGE, record, behaviour.extraEnvelopeFields);
}

/** One page of a list's records, and what `pagination` says of it. @param path of the list */
function pageOf<Row>({ perPage, origin }: Service, rows: readonly Row[], page: number, path: string) {
  const shown = rows.slice((page - 1) * perPage, page * perPage);
  const counted = { total: rows.length, count: shown.length, perPage, page, url: `${origin}${path}` };
  return { shown, pages: pagination(counted) };
}

/** `GET /api/v1/refund/` (docs/contract.md, 4.3), decrypted, by `refund_at`. Throws a Refusal for wrong parameters. */
function refundList(service: Service, merchantCode: string, query: Record<string, string>): string {
  const { behaviour, listings, perPage, store } = service;
  const { page: asked, ...range } = listQuery(query);
  const listing = listings({ kind: 'refund', merchantCode, ...range });
  const total = listing.records.length;
  const page = behaviour.refundListPages === 'repeats' ? Math.min(asked, lastPage(total, perPage)) : asked;
  const { shown, pages } = pageOf(service, listing.records, page, '/api/v1/refund/');
  const stats = {
    total_refund_request_count: total,
    total_refund_request_amount: listing.sum(),
    pending_total_refund_request_amount: listing.sum(String(REFUND_STATUS.pending)),
    approved_total_refund_request_amount: listing.sum(String(REFUND_STATUS.approved)),
    rejected_total_refund_request_amount: listing.sum(String(REFUND_STATUS.rejected)),
  };
  const data = shown.map(({ seq }) => withMembers(store.text(seq), behaviour.extraRefundFields)).join(',');
  const paged = behaviour.refundListPages === 'page' ? `,"pagination":${JSON.stringify(pages)}` : '';
  const response = `{"stats":${JSON.stringify(stats)},"refund_request_list":{"data":[${data}]${paged}}}`;
  return envelope(MESSAGE, response, behaviour.extraEnvelopeFields);
}

const paidInvoice = z.object({
  id: z.number(),
  amount: z.string(),
  invoice_status: z.literal(INVOICE_STATUS.paid),
  transaction: z.looseObject({ paid_on: z.string() }),
});

/**
 * `GET /api/v1/report/transactions` (docs/contract.md, 4.6 Transaction list): the decrypted envelope. The dates select by the
 * time of the payment. The shape of a row is not published: it is that of a refund's transaction.
 */
function transactionList(service: Service, merchantCode: string, query: Record<string, string>): string {
  const { behaviour, listings, store } = service;
  const { page, fromDay = '', toDay = '9' } = listQuery(query);
  const rows = listings({ kind: 'invoice', merchantCode })
    .records.flatMap(({ seq }) => paidInvoice.safeParse(parseJson(store.text(seq))).data ?? [])
    .filter(({ transaction: { paid_on: at } }) => at.slice(0, 10) >= fromDay && at.slice(0, 10) <= toDay)
    .map(({ id, amount, transaction: { paid_on: at, ...transaction } }) => {
      const ids = { payment_id: transaction['payment_id'], transaction_id: transaction['transaction_id'] };
      const kind = { payment_type: transaction['payment_type'], service_id: 2, status: 1 };
      return { id, amount: Number(amount), ...ids, ...kind, created_at: at };
    });
  const { shown, pages } = pageOf(service, behaviour.transactions(rows), page, '/api/v1/report/transactions');
  const response = JSON.stringify({ transactions: { data: shown, pagination: pages } });
  return envelope('Transactions', response, behaviour.extraEnvelopeFields);
}

const credentials = z.object({ username: z.string(), password: z.string() });
const renewal = z.object({ refreshToken: z.string() });

function parse<T>(schema: z.ZodType<T>, body: string, shape: string): T {
  const parsed = schema.safeParse(parseJson(body));
  if (!parsed.success) throw new Refusal('invalidData', `the body is not ${shape}`);
  return parsed.data;
}

function tokenEnvelope({ tokens, behaviour }: Service, merchantCode: string): string {
  return envelope(
    'Success',
    JSON.stringify({ token: tokens.issue(merchantCode) }),
    behaviour.extraEnvelopeFields,
  );
}

/** `POST /api/v1/login` (published). Throws a Refusal: "Invalid Signature." for a wrong username or password. */
function login(service: Service, body: string): string {
  const { username, password } = parse(credentials, body, '{"username":"…","password":"…"}');
  const merchant = service.merchants.find((candidate) => candidate.username === username);
  if (merchant?.password !== password)
    throw new Refusal('invalidSignature', 'the username or the password is wrong');
  if (holdsFor(service.behaviour.loginRefused, merchant.merchantCode)) {
    throw new Refusal('invalidSignature', 'loginRefused is on');
  }
  return tokenEnvelope(service, merchant.merchantCode);
}

/** `POST /api/v1/token-refresh` (published). Throws a Refusal for a refresh token that is unknown or already used. */
function refresh(service: Service, body: string): string {
  const { refreshToken } = parse(renewal, body, '{"refreshToken":"…"}');
  const merchantCode = service.tokens.redeem(refreshToken);
  if (merchantCode === undefined)
    throw new Refusal('notFound', 'the refresh token is unknown or was used before');
  if (holdsFor(service.behaviour.refreshRefused, merchantCode))
    throw new Refusal('notFound', 'refreshRefused is on');
  return tokenEnvelope(service, merchantCode);
}

const DATA_OPERATIONS: ReadonlySet<string> = new Set(['invoices', 'refund', 'refunds', 'transactions']);

export interface ServiceRequest {
  facts: RequestFacts;
  headers: IncomingHttpHeaders;
  /** The query parameter `data`. It is not part of the facts. */
  data: string | null;
  body: string;
}

function errorAnswer(service: Service, error: unknown, merchantCode: string | undefined): Answer {
  const { errorAnswers, errorStatus, padBlock } = service.behaviour;
  const { status, body } = ERROR_BODIES[error instanceof Refusal ? error.error : 'serverError'];
  const encrypted = errorAnswers === 'encrypted' && merchantCode !== undefined;
  const text = encrypted
    ? JSON.stringify({ response: encrypt(body, service.cipherOf(merchantCode), padBlock) })
    : body;
  const refusal = error instanceof Error ? error.message : String(error);
  return { ...jsonAnswer(errorStatus === 'http' ? status : errorStatus, text), refusal };
}

/** The service's own answer to a request. An error becomes one of the contract's error bodies. */
export function createOperations(service: Service, cacheBytes: number): (request: ServiceRequest) => Answer {
  const { behaviour } = service;
  const shift = createShift(service);
  const pages = new PageCache(cacheBytes);

  function sealed(merchantCode: string, text: string): string {
    return JSON.stringify({ response: encrypt(text, service.cipherOf(merchantCode), behaviour.padBlock) });
  }

  /** Pages come from the cache while data, behaviour and cipher do not change. */
  function listed(merchantCode: string, facts: RequestFacts, make: () => string): Answer {
    const { key, iv } = service.cipherOf(merchantCode);
    const asked = [merchantCode, facts.operation, service.store.version(merchantCode), key, iv, facts.query];
    return jsonAnswer(200, pages.get(`${JSON.stringify(asked)} ${answerFingerprint(behaviour)}`, make));
  }

  function dataAnswer(request: ServiceRequest): Answer {
    const { facts } = request;
    const { merchantCode } = authenticate(service, request.headers, request.data);
    switch (facts.operation) {
      case 'invoices': {
        const answer = listed(merchantCode, facts, () => {
          const text = invoiceDashboard(service, merchantCode, facts.query);
          return behaviour.invoiceAnswers === 'plain' ? text : sealed(merchantCode, text);
        });
        shift(merchantCode, facts.query);
        return answer;
      }
      case 'refunds':
        if (!behaviour.hasRefundList) throw new Refusal('notFound', 'hasRefundList is off');
        return listed(merchantCode, facts, () =>
          sealed(merchantCode, refundList(service, merchantCode, facts.query)),
        );
      case 'transactions':
        if (!behaviour.hasTransactionList) throw new Refusal('notFound', 'hasTransactionList is off');
        return jsonAnswer(200, sealed(merchantCode, transactionList(service, merchantCode, facts.query)));
      case 'refund':
        return jsonAnswer(200, sealed(merchantCode, refundDetails(service, merchantCode, facts.path)));
      case 'login':
      case 'refresh':
      case 'other':
        throw new Refusal('notFound', 'the service has no such path');
    }
  }

  return (request) => {
    const { operation } = request.facts;
    const isData = DATA_OPERATIONS.has(operation);
    try {
      if (operation === 'login') return jsonAnswer(200, login(service, request.body));
      if (operation === 'refresh') return jsonAnswer(200, refresh(service, request.body));
      if (operation === 'other') throw new Refusal('notFound', 'the service has no such path or method');
      return dataAnswer(request);
    } catch (error) {
      const merchant = isData ? merchantByAccessCode(service, request.headers) : undefined;
      return errorAnswer(service, error, merchant?.merchantCode);
    }
  };
}
