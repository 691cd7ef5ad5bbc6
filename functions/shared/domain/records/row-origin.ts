import type { NamedDataFile } from '../storage/keys.ts';
import { isMembers, parseExactJson } from '../json/exact-json.ts';

/** Tells of the lines of a file in JSON whether they are of the merchant and day that its key names. */
export class RowOriginCheck {
  readonly #origin: Pick<NamedDataFile, 'merchantCode' | 'day'>;
  readonly #start: string;

  constructor({ merchantCode, day }: Pick<NamedDataFile, 'merchantCode' | 'day'>) {
    this.#origin = { merchantCode, day };
    this.#start = `${JSON.stringify({ _merchant_code: merchantCode, _day: day }).slice(0, -1)},`;
  }

  /** Whether the line is of another merchant or day. What is no JSON object is for whoever reads its members to refuse. */
  isForeign(line: string): boolean {
    // Nearly all begin so, and parsing them would cost as much again as reading them.
    if (line.startsWith(this.#start)) return false;
    let row: unknown;
    try {
      row = parseExactJson(line);
    } catch {
      return false;
    }
    if (!isMembers(row)) return false;
    return row['_merchant_code'] !== this.#origin.merchantCode || row['_day'] !== this.#origin.day;
  }
}
