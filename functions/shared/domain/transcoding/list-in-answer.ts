import { BYTE, NOT_THERE, endOfLiteral, endOfText, outlineOfValue } from './json-bytes.ts';

/** The value of a member of the object that begins at `start`. */
function memberAt(json: Uint8Array, start: number, quotedName: Uint8Array): number {
  if (json[start] !== BYTE.openingBrace) return NOT_THERE;
  for (let at = start + 1; ;) {
    const end = endOfText(json, at);
    if (end === NOT_THERE || json[end] !== BYTE.colon) return NOT_THERE;
    if (endOfLiteral(json, at, quotedName) === end) return end + 1;
    const outline = outlineOfValue(json, end + 1);
    if (outline === undefined || json[outline.end] !== BYTE.comma) return NOT_THERE;
    at = outline.end + 1;
  }
}

/** The names of members on the path to a list, as they stand in an answer. */
export function pathInAnswer(names: readonly string[]): readonly Uint8Array[] {
  return names.map((name) => Buffer.from(JSON.stringify(name)));
}

/**
 * Finds a list in an answer without parsing it. The text around it is only looked at as far as needed, so it must still be parsed.
 *
 * @param json without blanks between its values
 * @param path of {@link pathInAnswer}, from the outermost object to the list
 * @returns the place after its opening bracket, `undefined` when it is not there
 */
export function listInAnswer(json: Uint8Array, path: readonly Uint8Array[]): number | undefined {
  let at = 0;
  for (const name of path) {
    at = memberAt(json, at, name);
    if (at === NOT_THERE) return undefined;
  }
  return json[at] === BYTE.openingBracket ? at + 1 : undefined;
}
