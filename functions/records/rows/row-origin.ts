import type { NamedDataFile } from '../storage/keys.ts';
import { isMembers, parseExactJson } from '../json/exact-json.ts';

/** Checks whether the lines of a JSON file belong to the merchant and day in its key. */
export class RowOriginCheck {
  readonly #origin: Pick<NamedDataFile, 'merchantCode' | 'day'>;
  readonly #start: string;

  constructor({ merchantCode, day }: Pick<NamedDataFile, 'merchantCode' | 'day'>) {
    this.#origin = { merchantCode, day };
    this.#start = `${JSON.stringify({ _merchant_code: merchantCode, _day: day }).slice(0, -1)},`;
  }

  /**
   * Whether the line belongs to another merchant or day. A line that is not a JSON object is not foreign
   * here; its reader refuses it.
   */
  isForeign(line: string): boolean {
    // Nearly all lines begin like this. Parsing them would double the cost of reading.
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
