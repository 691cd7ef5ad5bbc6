/**
 * What a test sets in a record: any member, with any value; `undefined` removes the member. `rawJson` allows text that
 * JSON.stringify cannot write: an object gives single members as raw JSON text (`{ id: '90071992547409931' }`), a
 * string replaces the text of the whole record, whether it is well-formed or not.
 */
export interface RecordChange {
  rawJson?: string | Record<string, string>;
  [member: string]: unknown;
}

/** The parts of a record's text: parsed members, and raw text on top. */
export interface RecordParts {
  members: Record<string, unknown>;
  raw: string | Record<string, string> | undefined;
}

/** The parts with a change on top. Raw members add up; a later plain value replaces a raw one. */
export function changed(parts: RecordParts, change: RecordChange): RecordParts {
  const { rawJson, ...plain } = change;
  const members = { ...parts.members, ...plain };
  if (typeof rawJson === 'string') return { members, raw: rawJson };
  if (typeof parts.raw === 'string') return { members, raw: rawJson ?? parts.raw };
  const kept = Object.entries(parts.raw ?? {}).filter(([member]) => !(member in plain));
  const raw = { ...Object.fromEntries(kept), ...rawJson };
  return { members, raw: Object.keys(raw).length === 0 ? undefined : raw };
}

export function recordText(parts: RecordParts): string {
  if (parts.raw === undefined) return JSON.stringify(parts.members);
  if (typeof parts.raw === 'string') return parts.raw;
  const texts = new Map<string, string>();
  for (const [member, value] of Object.entries(parts.members)) {
    if (value !== undefined) texts.set(member, JSON.stringify(value));
  }
  for (const [member, text] of Object.entries(parts.raw)) texts.set(member, text);
  return `{${[...texts].map(([member, text]) => `${JSON.stringify(member)}:${text}`).join(',')}}`;
}
