import {
  getCellAddress,
  getClosingTagMarkup,
  getOpeningTagMarkup,
  getSelfClosingTagMarkup,
  sanitizeTextContent,
} from 'write-excel-file/utility';

export type TableTotal = { kind: 'sum'; amount: string } | { kind: 'text'; text: string };

export interface SheetTable {
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
export function totalFormula(table: string, head: string): string {
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

/**
 * Previews on phones show results and compute nothing. Only the last row is changed: a copy of a sheet takes
 * much memory.
 */
function withResults(sheet: string, { name, heads, totals }: SheetTable): string {
  const lastRow = sheet.lastIndexOf('<row ');
  const row = totals.reduce((xml, total, index) => {
    if (total?.kind !== 'sum') return xml;
    const formula = `<f>${sanitizeTextContent(totalFormula(name, heads[index] ?? ''))}</f>`;
    return xml.replace(formula, () => `${formula}<v>${Number(total.amount)}</v>`);
  }, sheet.slice(lastRow));
  return sheet.slice(0, lastRow) + row;
}

/**
 * The library has no tables with filters; `features` is its own way for additions.
 * @param tables of the sheets in order, or `null`
 */
export function tableFeature(tables: readonly (SheetTable | null)[]) {
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
