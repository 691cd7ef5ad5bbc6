import { getClosingTagMarkup, getOpeningTagMarkup, sanitizeTextContent } from 'write-excel-file/utility';

/** A sheet as it is printed. A table repeats its heads on each page. */
export interface PrintedSheet {
  name: string;
  isTable: boolean;
}

/** Without it the scale of the page counts, and not its width. */
const FITS_PAGE = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const FITS_WIDTH = 'fitToWidth="1" fitToHeight="0"';
const SHEET = /<worksheet [^>]*>/;
const NO_NAMES = '<definedNames/>';

function headsOf({ name }: PrintedSheet, index: number): string {
  const heads = `'${name.replaceAll("'", "''")}'!$1:$1`;
  const attributes = { name: '_xlnm.Print_Titles', localSheetId: index };
  return (
    getOpeningTagMarkup('definedName', attributes) +
    sanitizeTextContent(heads) +
    getClosingTagMarkup('definedName')
  );
}

/**
 * Prints a table on the width of its pages, and another sheet on one page. The library sets paper and orientation
 * of a table alone.
 * @param sheets in order
 */
export function pageSetupFeature(sheets: readonly PrintedSheet[]) {
  const heads = sheets.map((sheet, index) => (sheet.isTable ? headsOf(sheet, index) : '')).join('');
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
