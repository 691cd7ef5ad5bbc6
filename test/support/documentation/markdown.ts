/** The text beneath a heading without its signs, up to the next of its rank or higher. @throws {Error} without one */
export function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`there is no heading "${heading}"`);
  const rank = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 1;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? Infinity) <= rank);
  return (end === -1 ? rest : rest.slice(0, end)).join('\n');
}

/** The cells of each row of each table whose first column has this heading. */
export function rowsOf(markdown: string, firstHeading: string): string[][] {
  const rows: string[][] = [];
  let isInside = false;
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      isInside = false;
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells[0] === firstHeading) isInside = true;
    else if (isInside && !/^-+$/.test(cells[0] ?? '')) rows.push(cells);
  }
  return rows;
}

/** The names in backticks of a text, in their order. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The names in the first columns of those rows. A row may be about several. */
export function rowNames(markdown: string, firstHeading: string): string[] {
  return rowsOf(markdown, firstHeading).flatMap(([first = '']) => namesIn(first));
}

/** The names at the beginning of each entry of the list below this line, up to a colon or a bracket. */
export function namesBelow(markdown: string, line: string): string[] {
  const [, below = ''] = markdown.split(`${line}\n\n`);
  const [list = ''] = below.split('\n\n');
  return [...list.matchAll(/^- ([^:(]+)/gm)].flatMap(([, names = '']) => namesIn(names));
}

export function examplesIn(markdown: string): unknown[] {
  return [...markdown.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = '']): unknown =>
    JSON.parse(text),
  );
}
