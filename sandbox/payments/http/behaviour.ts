import { createFaults, type PaymentsFaults } from './faults.ts';
import type { RequestFacts } from './request-facts.ts';

/** How the service behaves. Change any member at any time; the next request uses it. */
export interface Behaviour {
  /** Whether the invoice list is a plain envelope, as published, or `{"response":"<hex>"}`. */
  invoiceAnswers: 'plain' | 'encrypted';
  /** Whether error bodies of the two operations and the refund list are plain or encrypted. */
  errorAnswers: 'plain' | 'encrypted';
  /** HTTP status of error bodies: always 200, or the usual HTTP status (401, 403, 404, 422, 500). */
  errorStatus: 200 | 'http';
  /** Block size of the padding of answers: 32 as the service does, or ordinary PKCS#7. */
  padBlock: 16 | 32;
  /** How `invoice_paid`, `invoice_not_paid` and `invoice_cancelled` are written. */
  counts: 'strings' | 'numbers' | 'null';
  /** Whether `stats` counts the requested `invoiceType` only, all types, or the requested one on the last day only. */
  statsScope: 'type' | 'all' | 'day';
  /** Members to add to every invoice, refund or envelope. */
  extraInvoiceFields: Record<string, unknown>;
  extraRefundFields: Record<string, unknown>;
  extraEnvelopeFields: Record<string, unknown>;
  /** False: the path of the refund list answers "Request not found". */
  hasRefundList: boolean;
  /** The refund list's `pagination`: present; absent, with empty pages after the last; absent, with the last page repeated. */
  refundListPages: 'page' | 'none' | 'repeats';
  /** False: the path of the transaction list answers "Request not found". */
  hasTransactionList: boolean;
  /** What the transaction list says in place of the rows of a range. */
  transactions: (rows: readonly Record<string, unknown>[]) => readonly unknown[];
  latencyMilliseconds: number | ((request: RequestFacts) => number);
  /** Every access token expires after this many requests; null: only after its lifetime. */
  tokenDiesEvery: number | null;
  /** An access token's lifetime, from login or refresh. */
  tokenLifetimeMilliseconds: number;
  /** Login answers "Invalid Signature.": for all merchants, or for these. */
  loginRefused: boolean | readonly string[];
  /** Refresh answers "Request not found": for all merchants, or for these. */
  refreshRefused: boolean | readonly string[];
  /** Login works, but every token is answered "Forbidden Access": for all merchants, or for these. */
  accessRefused: boolean | readonly string[];
  /** Added to `pagination.total` of the invoice list. */
  wrongTotal: number;
  /** Added to the counts of `stats`. */
  wrongStats: { total?: number; paid?: number; notPaid?: number; cancelled?: number };
  /** Added to `pagination.current_page`. */
  wrongPage: number;
  /** By the requested `invoiceType`: the type whose invoices are sent instead. */
  wrongType: Readonly<Record<string, string>>;
  /** Days added to `fromDate` and `toDate` of the invoice list: -1 gives the invoices of the day before. */
  wrongDay: number;
  /** After every `every` invoice list requests `invoices` (default 1) new ones are added at the top, at most `times` times. */
  shift: { every: number; times: number; invoices?: number } | null;
  readonly faults: PaymentsFaults;
}

export function defaultBehaviour(): Behaviour {
  return {
    invoiceAnswers: 'plain',
    errorAnswers: 'plain',
    errorStatus: 'http',
    padBlock: 32,
    counts: 'strings',
    statsScope: 'type',
    extraInvoiceFields: {},
    extraRefundFields: {},
    extraEnvelopeFields: {},
    hasRefundList: true,
    refundListPages: 'page',
    hasTransactionList: true,
    transactions: (rows) => rows,
    latencyMilliseconds: 0,
    tokenDiesEvery: null,
    tokenLifetimeMilliseconds: 900_000,
    loginRefused: false,
    refreshRefused: false,
    accessRefused: false,
    wrongTotal: 0,
    wrongStats: {},
    wrongPage: 0,
    wrongType: {},
    wrongDay: 0,
    shift: null,
    faults: createFaults(),
  };
}

/** Whether a switch for all or for some merchants applies to this one. */
export function holdsFor(merchants: boolean | readonly string[], merchantCode: string): boolean {
  return typeof merchants === 'boolean' ? merchants : merchants.includes(merchantCode);
}

/** A key that differs where the behaviour changes the bytes of a list answer. */
export function answerFingerprint(behaviour: Behaviour): string {
  const { invoiceAnswers, padBlock, counts, statsScope, refundListPages } = behaviour;
  const { extraInvoiceFields, extraRefundFields, extraEnvelopeFields, wrongTotal, wrongStats, wrongPage } =
    behaviour;
  const { wrongType, wrongDay } = behaviour;
  return JSON.stringify([
    [invoiceAnswers, padBlock, counts, statsScope, refundListPages],
    [extraInvoiceFields, extraRefundFields, extraEnvelopeFields, wrongTotal, wrongStats, wrongPage],
    [wrongType, wrongDay],
  ]);
}
