/**
 * The text of a cell in a result of Athena; `undefined` for null. Lists and rows are written as Athena writes them:
 * `[a, b]`, `{name=a}`.
 */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return `[${value.map(insideText).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => `${name}=${insideText(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function insideText(value: unknown): string {
  return cellText(value) ?? 'null';
}
