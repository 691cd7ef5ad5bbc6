/**
 * The paths in a JSON text at which two names of one object are the same in lower case, which is how the OpenX SerDe
 * tells names apart: it then refuses the line, or takes the last of them.
 */
export function namesThatFallTogether(json: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null) {
      const names = Map.groupBy(Object.keys(value), (name) => name.toLowerCase());
      for (const [name, same] of names) if (same.length > 1) found.push(`${path}.${name}`);
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    }
  };
  visit(JSON.parse(json), '');
  return found;
}
