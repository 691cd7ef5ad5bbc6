/** The options that a table hands to the SerDe. */
export interface OpenCsvOptions {
  separator: string;
  quote: string;
  escape: string;
}

/**
 * A line as OpenCSVSerde reads it, by its documented rules and as Trino's reader has them: outside of a value's first
 * place a doubled quote is one, an escape character vanishes before a quote or itself (and is dropped elsewhere), and a
 * quote that stands amid a value, with no separator beside it, stays and still opens or closes.
 */
export function readOpenCsvLine(line: string, { separator, quote, escape }: OpenCsvOptions): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  let begun = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line[at + 1];
    if (character === escape) {
      if ((quoted || begun) && (next === quote || next === escape)) {
        cell += next;
        at += 1;
      }
      continue;
    }
    if (character === quote) {
      if ((quoted || begun) && next === quote) {
        cell += quote;
        at += 1;
      } else {
        const amid = at > 2 && line[at - 1] !== separator && next !== undefined && next !== separator;
        if (amid) cell = cell !== '' && cell.trim() === '' ? '' : cell + quote;
        quoted = !quoted;
      }
      begun = !begun;
      continue;
    }
    if (character === separator && !quoted) {
      cells.push(cell);
      cell = '';
      begun = false;
      continue;
    }
    cell += character;
    begun = true;
  }
  if (!quoted) cells.push(cell);
  return cells;
}
