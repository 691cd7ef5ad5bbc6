/** Statements of merchants of one kind, for one period. */
export interface MerchantStatements {
  statements: number;
  mails: number;
  /** Of the mails, those with a workbook of all rows. */
  mailsWithWorkbook: number;
}

/** A group's pages of one kind, for one period. */
export interface GroupPages {
  /** Merchants in the page. */
  merchants: number;
  mails: number;
  hasWorkbook: boolean;
}

/** When `plan` looks at statements: one entry for all that are looked at together. Durations in milliseconds. */
export interface LookClock {
  kind: 'day' | 'week' | 'month';
  waitFor: number;
  /** 0 for the pages of days, which are not made again. */
  correctFor: number;
}

/** The statements and pages that a registry asks for. */
export interface StatementCounts {
  weeks: MerchantStatements;
  months: MerchantStatements;
  pages: { days: GroupPages[]; weeks: GroupPages[]; months: GroupPages[] };
  clocks: LookClock[];
  /** Moments of one period at which something is due. */
  due: { days: number; weeks: number; months: number };
}
