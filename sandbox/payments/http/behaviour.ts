import type { SandboxCipher } from './cipher.ts';
import { PaymentsFaults } from './faults.ts';
import type { RequestFacts } from './request-facts.ts';

/** How the service behaves. Change any member at any time; the next request meets it. */
export interface Behaviour {
  /** Whether the invoice list comes as a plain envelope, as published, or as `{"response":"<hex>"}`. */
  invoiceAnswers: 'plain' | 'encrypted';
  /** Whether error bodies of the two operations and the refund list come plain or encrypted. */
  errorAnswers: 'plain' | 'encrypted';
  /** HTTP status of error bodies: always 200, or the one that HTTP has for the case (401, 403, 404, 422, 500). */
  errorStatus: 200 | 'http';
  /** Block that answers are padded to: 32 as the service does, or ordinary PKCS#7. */
  padBlock: 16 | 32;
  /** How `invoice_paid`, `invoice_not_paid` and `invoice_cancelled` are written. */
  counts: 'strings' | 'numbers' | 'null';
  /** Whether `stats` counts the asked `invoiceType` only or all types. */
  statsScope: 'type' | 'all';
  /** Members added to every invoice, refund or envelope that is served. */
  extraInvoiceFields: Record<string, unknown>;
  extraRefundFields: Record<string, unknown>;
  extraEnvelopeFields: Record<string, unknown>;
  /** Every invoice whose id divides by `every` is served, and counted, with this `invoice_status`; data stay as they are. */
  unknownStatus: { status: number; every: number } | null;
  /** False: the refund list's path answers "Request not found". */
  hasRefundList: boolean;
  /** The refund list's `pagination`: there; absent and empty past the last page; absent and the last page again. */
  refundListPages: 'page' | 'none' | 'repeats';
  /** Wait before every answer. */
  latencyMilliseconds: number | ((request: RequestFacts) => number);
  /** Every access token dies after this many requests; null: of age only. */
  tokenDiesEvery: number | null;
  /** An access token's life, from login or refresh. */
  tokenLifetimeMilliseconds: number;
  /** Login answers "Invalid Signature.": for all, or for these merchants. */
  loginRefused: boolean | readonly string[];
  /** Refresh answers "Request not found": for all, or for these merchants. */
  refreshRefused: boolean | readonly string[];
  /** Login works, and every token is answered "Forbidden Access": for all, or for these merchants. */
  accessRefused: boolean | readonly string[];
  /** A cipher in place of a merchant's own, for requests and answers; undefined leaves it. See also `rotate`. */
  cipherFor: ((merchantCode: string) => SandboxCipher | undefined) | null;
  /** Added to `pagination.total` of the invoice list. */
  wrongTotal: number;
  /** Added to the counts of `stats`. */
  wrongStats: { total?: number; paid?: number; notPaid?: number; cancelled?: number };
  /** Added to `pagination.current_page`. */
  wrongPage: number;
  /** By the `invoiceType` asked for: the type whose invoices are given in its place. */
  wrongType: Readonly<Record<string, string>>;
  /** Days added to `fromDate` and `toDate` of the invoice list: -1 gives the invoices of the day before. */
  wrongDay: number;
  /** After every `every` invoice list requests `invoices` (default 1) new ones come on top, `times` times at most. */
  shift: { every: number; times: number; invoices?: number } | null;
  /** Requires `Accept` and `Content-Type: application/json`, as docs/contract.md, 4 Endpoints says; else 506. */
  strictHeaders: boolean;
  /** What goes wrong on the way: add faults, clear them. */
  readonly faults: PaymentsFaults;
}

/** The published behaviour. */
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
    unknownStatus: null,
    hasRefundList: true,
    refundListPages: 'page',
    latencyMilliseconds: 0,
    tokenDiesEvery: null,
    tokenLifetimeMilliseconds: 900_000,
    loginRefused: false,
    refreshRefused: false,
    accessRefused: false,
    cipherFor: null,
    wrongTotal: 0,
    wrongStats: {},
    wrongPage: 0,
    wrongType: {},
    wrongDay: 0,
    shift: null,
    strictHeaders: true,
    faults: new PaymentsFaults(),
  };
}

/** Whether a switch that holds for all or for some merchants holds for this one. */
export function holdsFor(merchants: boolean | readonly string[], merchantCode: string): boolean {
  return typeof merchants === 'boolean' ? merchants : merchants.includes(merchantCode);
}

/** Tells apart the behaviours under which a list answer's bytes differ. */
export function answerFingerprint(behaviour: Behaviour): string {
  const { invoiceAnswers, padBlock, counts, statsScope, unknownStatus, refundListPages } = behaviour;
  const { extraInvoiceFields, extraRefundFields, extraEnvelopeFields, wrongTotal, wrongStats, wrongPage } =
    behaviour;
  const { wrongType, wrongDay } = behaviour;
  return JSON.stringify([
    [invoiceAnswers, padBlock, counts, statsScope, unknownStatus, refundListPages],
    [extraInvoiceFields, extraRefundFields, extraEnvelopeFields, wrongTotal, wrongStats, wrongPage],
    [wrongType, wrongDay],
  ]);
}
