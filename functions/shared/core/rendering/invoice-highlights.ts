/** An unpaid invoice as a mail shows it. */
export interface UnpaidInvoice {
  /** Digit for digit. */
  id: string;
  reference: string | null;
  customer: string | null;
  /** A decimal string. */
  amount: string;
  /** `YYYY-MM-DD` */
  expiresAt: string | null;
  /** The payment link: https only. */
  url: string | null;
}

/** The invoices of one type. */
export interface TypeFigures {
  type: string;
  count: number;
  /** The exact sum, a decimal string. */
  amount: string;
}

/** What the sealed invoices of a day say beyond the manifest's figures. */
export interface InvoiceHighlights {
  /** Largest amount first. */
  largestUnpaid: UnpaidInvoice[];
  /** Soonest first. */
  expiringSoon: UnpaidInvoice[];
  expiringSoonCount: number;
  byType: TypeFigures[];
}
