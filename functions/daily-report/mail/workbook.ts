import writeExcelFile from 'write-excel-file/node';
import type { CellObject } from 'write-excel-file/node';
import type { CellContent, WorkbookCell } from '#rendering/attachments/workbook-cell.ts';

/** A workbook of one sheet. */
export interface Workbook {
  /** Name of the sheet: 31 characters at most, none of `[]/\:*?`. */
  sheet: string;
  /** `width` in characters. */
  columns: readonly { head: string; holds: CellContent; width: number }[];
  /** Their cells are those of `columns`, in that order. */
  rows: readonly (readonly WorkbookCell[])[];
  rightToLeft: boolean;
}

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const FORMATS: Record<CellContent, string> = { amount: '#,##0.000', integer: '0', text: '@' };

/** A text that stays one, also when somebody edits its cell. */
function textCell(value: string): CellObject {
  // The library finds texts by their names as members of an object, which every object has some of already. It leaves
  // this character out when it writes, as XML asks.
  return { value: value in {} ? `${value}\u0001` : value, type: String, format: FORMATS.text };
}

function cell(value: WorkbookCell, holds: CellContent): CellObject | null {
  if (value === null) return null;
  if (typeof value === 'string') return textCell(value);
  return { value, type: Number, format: FORMATS[holds] };
}

const END_OF_DIRECTORY = 22;
/** 1 January 1980, the first that a ZIP archive can say. */
const FIRST_DATE = 0x0021;

/** Takes the time of writing out of a ZIP archive, so that the same workbook is the same bytes (in place). */
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
 * Writes a workbook with bold heads that stay in sight. The same workbook gives the same bytes. Takes about ten times
 * the memory of what it writes, so the rows must be few enough.
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
