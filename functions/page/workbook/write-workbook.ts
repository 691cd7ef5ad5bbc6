import {
  getCellAddress,
  getClosingTagMarkup,
  getOpeningTagMarkup,
  getSelfClosingTagMarkup,
  sanitizeTextContent,
} from 'write-excel-file/utility';
import writeExcelFile from 'write-excel-file/node';
import type { CellObject } from 'write-excel-file/node';
import type { CellContent, WorkbookCell } from '../rendering/attachments/workbook-cell.ts';
import type { PageSheet, TableSheet, Workbook } from '../rendering/attachments/workbook-sheets.ts';

type TableTotal = { kind: 'sum'; amount: string } | { kind: 'text'; text: string };

interface SheetTable {
  name: string;
  heads: readonly string[];
  rows: number;
  totals: readonly (TableTotal | null)[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/table';
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml';
const RELATIONSHIP_ID = 'rId-daybook-table-1';
// In a formula, these characters of a head have an apostrophe before them.
const SPECIAL_IN_HEAD = /['#@[\]]/g;

/** The sum of the rows that a filter shows. */
function totalFormula(table: string, head: string): string {
  return `SUBTOTAL(109,${table}[${head.replace(SPECIAL_IN_HEAD, "'$&")}])`;
}

function columnMarkup(head: string, total: TableTotal | null, index: number): string {
  return getSelfClosingTagMarkup('tableColumn', {
    id: index + 1,
    name: head,
    ...(total?.kind === 'text' && { totalsRowLabel: total.text }),
    ...(total?.kind === 'sum' && { totalsRowFunction: 'sum' }),
  });
}

function tableMarkup({ name, heads, rows, totals }: SheetTable, id: number): string {
  const last = heads.length - 1;
  const attributes = {
    xmlns: NAMESPACE,
    id,
    name,
    displayName: name,
    ref: `A1:${getCellAddress(rows + 1, last)}`,
    totalsRowCount: 1,
  };
  const columns = heads.map((head, index) => columnMarkup(head, totals[index] ?? null, index));
  return [
    DECLARATION,
    getOpeningTagMarkup('table', attributes),
    getSelfClosingTagMarkup('autoFilter', { ref: `A1:${getCellAddress(rows, last)}` }),
    getOpeningTagMarkup('tableColumns', { count: columns.length }),
    ...columns,
    getClosingTagMarkup('tableColumns'),
    getSelfClosingTagMarkup('tableStyleInfo', {
      name: 'TableStyleLight9',
      showFirstColumn: 0,
      showLastColumn: 0,
      showRowStripes: 1,
      showColumnStripes: 0,
    }),
    getClosingTagMarkup('table'),
  ].join('');
}

/** Previews on phones compute nothing. Only the last row is changed: a copy of a sheet takes much memory. */
function withResults(sheet: string, { name, heads, totals }: SheetTable): string {
  const lastRow = sheet.lastIndexOf('<row ');
  const row = totals.reduce((xml, total, index) => {
    if (total?.kind !== 'sum') return xml;
    const formula = `<f>${sanitizeTextContent(totalFormula(name, heads[index] ?? ''))}</f>`;
    return xml.replace(formula, () => `${formula}<v>${Number(total.amount)}</v>`);
  }, sheet.slice(lastRow));
  return sheet.slice(0, lastRow) + row;
}

/** The library has no tables with filters: `features` is its way for additions. @param tables by sheet, or `null` */
function tableFeature(tables: readonly (SheetTable | null)[]) {
  const tableOf = ({ sheetIndex }: { sheetIndex: number }) => tables[sheetIndex] ?? null;
  const numbered = tables.flatMap((table, index) => (table === null ? [] : [{ table, id: index + 1 }]));
  const partOf = (id: number | string) => `tables/table${id}.xml`;
  return {
    files: {
      transform: {
        '[Content_Types].xml': {
          insert: () =>
            numbered
              .map(({ id }) =>
                getSelfClosingTagMarkup('Override', {
                  ContentType: CONTENT_TYPE,
                  PartName: `/xl/${partOf(id)}`,
                }),
              )
              .join(''),
        },
        'xl/worksheets/_rels/sheet{id}.xml.rels': {
          insert: (_options: unknown, sheet: { sheetIndex: number; sheetId: string }) =>
            tableOf(sheet) === null
              ? undefined
              : getSelfClosingTagMarkup('Relationship', {
                  Id: RELATIONSHIP_ID,
                  Type: RELATIONSHIP,
                  Target: `../${partOf(sheet.sheetId)}`,
                }),
        },
        'xl/worksheets/sheet{id}.xml': {
          insert: (_options: unknown, sheet: { sheetIndex: number }) =>
            tableOf(sheet) === null
              ? undefined
              : `${getOpeningTagMarkup('tableParts', { count: 1 })}${getSelfClosingTagMarkup('tablePart', { 'r:id': RELATIONSHIP_ID })}${getClosingTagMarkup('tableParts')}`,
          transform: (xml: string, _options: unknown, sheet: { sheetIndex: number }) => {
            const table = tableOf(sheet);
            return table === null ? xml : withResults(xml, table);
          },
        },
      },
      write: {
        files: () =>
          Object.fromEntries(numbered.map(({ table, id }) => [`xl/${partOf(id)}`, tableMarkup(table, id)])),
      },
    },
  };
}

/** Without it the scale of the page counts, and not its width. */
const FITS_PAGE = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const FITS_WIDTH = 'fitToWidth="1" fitToHeight="0"';
const SHEET = /<worksheet [^>]*>/;
const NO_NAMES = '<definedNames/>';

function headsOf(name: string, index: number): string {
  const heads = `'${name.replaceAll("'", "''")}'!$1:$1`;
  const attributes = { name: '_xlnm.Print_Titles', localSheetId: index };
  return (
    getOpeningTagMarkup('definedName', attributes) +
    sanitizeTextContent(heads) +
    getClosingTagMarkup('definedName')
  );
}

/**
 * Prints a table on the width of its pages, and another sheet on one page. The library sets paper and orientation of a
 * table alone.
 */
function pageSetupFeature(sheets: Workbook['sheets']) {
  const heads = sheets
    .map(({ kind, name }, index) => (kind === 'table' ? headsOf(name, index) : ''))
    .join('');
  return {
    files: {
      transform: {
        'xl/workbook.xml': {
          transform: (xml: string) =>
            heads === '' ? xml : xml.replace(NO_NAMES, () => `<definedNames>${heads}</definedNames>`),
        },
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml: string) =>
            xml
              .replace(SHEET, (start) => `${start}${FITS_PAGE}`)
              .replace('<pageSetup ', `<pageSetup ${FITS_WIDTH} `),
        },
      },
    },
  };
}

const END_OF_DIRECTORY = 22;
/** 1 January 1980, the earliest date in a ZIP archive. */
const FIRST_DATE = 0x0021;

/** Removes times in place, so that the same workbook gives the same bytes. */
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

const FORMATS: Record<CellContent, string> = {
  amount: '#,##0.000',
  integer: '0',
  day: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm:ss',
  text: '@',
};

/** Of every cell. Without a name, programs choose one for usual cells and another for bold ones. */
const FONT = { fontFamily: 'Calibri', fontSize: 11 };

/** A cell that stays text, also when somebody edits it. */
function textCell(value: string): CellObject {
  // The library looks texts up as members of an object, and every object has some from the start. XML drops
  // the added character.
  return { value: value in {} ? `${value}\u0001` : value, type: String, format: FORMATS.text };
}

function cell(value: WorkbookCell, holds: CellContent): CellObject | null {
  if (value === null) return null;
  if (typeof value === 'string') return textCell(value);
  return { value, type: Number, format: FORMATS[holds] };
}

function strong(made: CellObject | null): CellObject | null {
  return made && { ...made, fontWeight: 'bold' };
}

function totalsOf({ sums, totalLabel }: TableSheet): (TableTotal | null)[] {
  const label = sums.indexOf(null);
  return sums.map((sum, index): TableTotal | null => {
    if (sum !== null)
      return sum.computable ? { kind: 'sum', amount: sum.amount } : { kind: 'text', text: sum.amount };
    return index === label ? { kind: 'text', text: totalLabel } : null;
  });
}

function totalCell(total: TableTotal | null, table: string, head: string): CellObject | null {
  if (total === null) return null;
  if (total.kind === 'text') return strong(textCell(total.text));
  return {
    value: totalFormula(table, head),
    type: 'Formula',
    format: FORMATS.amount,
    fontWeight: 'bold',
  };
}

/** A table has at least one row. */
function tableSheet(sheet: TableSheet) {
  const { name, table, columns, rows } = sheet;
  const heads = columns.map(({ head }) => strong(textCell(head)));
  const holds = columns.map((column) => column.holds);
  const totals = totalsOf(sheet);
  const options = {
    sheet: name,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    orientation: 'landscape',
  } as const;
  const data = [heads, ...rows.map((row) => row.map((value, index) => cell(value, holds[index] ?? 'text')))];
  if (rows.length === 0) return { options, data, table: null };
  data.push(columns.map(({ head }, index) => totalCell(totals[index] ?? null, table, head)));
  const made: SheetTable = { name: table, heads: columns.map(({ head }) => head), rows: rows.length, totals };
  return { options, data, table: made };
}

function pageSheet({ name, widths, rows }: PageSheet) {
  const data = rows.map((row) =>
    row.map((each) => {
      const made = cell(each.value, each.holds);
      return each.strong ? strong(made) : made;
    }),
  );
  return { options: { sheet: name, columns: widths.map((width) => ({ width })) }, data, table: null };
}

/** The same workbook gives the same bytes. Memory: about ten times the size of the file. */
export async function writeWorkbook({ sheets, rightToLeft }: Workbook): Promise<Buffer> {
  const made = sheets.map((sheet) => (sheet.kind === 'table' ? tableSheet(sheet) : pageSheet(sheet)));
  const file = writeExcelFile(
    made.map(({ options, data }) => ({ ...options, data, rightToLeft })),
    {
      ...FONT,
      features: [tableFeature(made.map(({ table }) => table)), pageSetupFeature(sheets)],
    },
  );
  return withoutTimes(await file.toBuffer());
}
