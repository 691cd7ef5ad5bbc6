/** What an output has, to compare it with the service's own data. */
export interface OutputFigures {
  invoices: number;
  /** Decimal, with three digits after the point. */
  total: string;
}

const AMOUNT = /^(-?)(\d+)\.(\d{3})$/;

function thousandths(amount: unknown): bigint {
  const [, sign, whole, fraction] = AMOUNT.exec(String(amount)) ?? [];
  if (whole === undefined || fraction === undefined) throw new Error(`not an amount: ${String(amount)}`);
  const value = BigInt(whole + fraction);
  return sign === '-' ? -value : value;
}

function decimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(4, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

interface Amount {
  amount?: unknown;
}

/** Singer has the record itself in `record`, Airbyte has it in `data` there. */
interface Message {
  type?: string;
  record?: Amount & { data?: Amount };
}

/** A line as a record, if it has one. The lines of Singer and Airbyte are messages, and some are not records. */
function recordIn(line: string): Amount | undefined {
  const parsed = JSON.parse(line) as Message & Amount;
  if (typeof parsed.type !== 'string') return parsed;
  return parsed.type === 'RECORD' ? (parsed.record?.data ?? parsed.record) : undefined;
}

/**
 * Count and sum of the invoices in a program's output.
 *
 * @param texts JSON lines
 * @throws {Error} when an invoice has no amount
 */
export function figuresIn(texts: readonly string[]): OutputFigures {
  let invoices = 0;
  let total = 0n;
  for (const text of texts) {
    for (const line of text.split('\n')) {
      const record = line === '' ? undefined : recordIn(line);
      if (record === undefined) continue;
      invoices += 1;
      total += thousandths(record.amount);
    }
  }
  return { invoices, total: decimal(total) };
}
