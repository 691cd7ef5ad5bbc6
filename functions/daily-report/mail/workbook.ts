import writeExcelFile from 'write-excel-file/node';
import type { CellObject } from 'write-excel-file/node';
import type { CellContent, WorkbookCell } from '#rendering/attachments/workbook-cell.ts';

/** A workbook with one sheet. */
export interface Workbook {
  /** Name of the sheet: 31 characters at most, without `[]/\:*?`. */
  sheet: string;
  /** `width` in characters. */
  columns: readonly { head: string; holds: CellContent; width: number }[];
  /** The cells of a row, in the order of `columns`. */
  rows: readonly (readonly WorkbookCell[])[];
  rightToLeft: boolean;
}

/** The media type of a workbook. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const FORMATS: Record<CellContent, string> = { amount: '#,##0.000', integer: '0', text: '@' };

/** A cell that stays text, also when somebody edits it. */
function textCell(value: string): CellObject {
  // The library looks texts up as members of an object, and every object has some members from the start. The
  // added character avoids those names. The library drops it when it writes, because XML does not allow it.
  return { value: value in {} ? `${value}\u0001` : value, type: String, format: FORMATS.text };
}

function cell(value: WorkbookCell, holds: CellContent): CellObject | null {
  if (value === null) return null;
  if (typeof value === 'string') return textCell(value);
  return { value, type: Number, format: FORMATS[holds] };
}

const END_OF_DIRECTORY = 22;
/** 1 January 1980, the earliest date in a ZIP archive. */
const FIRST_DATE = 0x0021;

/**
 * Removes the time of writing from a ZIP archive, so that the same workbook gives the same bytes. Changes the
 * archive in place.
 */
function withoutTimes(archive: Buffer): Buffer {
  const end = archive.length - END_OF_DIRECTORY;
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const local = archive.readUInt32LE(entry + 42);
    for (const time of [entry + 12, local + 10]) {
      archive.writeUInt16LE(0, time);
      archive.writeUInt16LE(FIRST_DATE, time + 2);
    }
    entry += 46 + [28, 30, 32].reduce((bytes, length) => bytes + archive.readUInt16LE(entry + length), 0);
  }
  return archive;
}

/**
 * Writes a workbook. Its bold heads stay visible while the reader scrolls. The same workbook gives the same
 * bytes. Memory: about ten times the size of the file, so there must not be too many rows.
 */
export async function writeWorkbook({ sheet, columns, rows, rightToLeft }: Workbook): Promise<Buffer> {
  const heads = columns.map(({ head }): CellObject => ({ ...textCell(head), fontWeight: 'bold' }));
  const holds = columns.map((column) => column.holds);
  const data = [heads, ...rows.map((row) => row.map((value, index) => cell(value, holds[index] ?? 'text')))];
  const options = {
    sheet,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    rightToLeft,
  };
  return withoutTimes(await writeExcelFile(data, options).toBuffer());
}
