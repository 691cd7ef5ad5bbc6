import { BYTE, NOT_THERE, endOfLiteral, endOfText, endOfValue } from './json-bytes.ts';

/** The value of a member of the object that begins at `start`. */
function memberAt(json: Uint8Array, start: number, quotedName: Uint8Array): number {
  if (json[start] !== BYTE.openingBrace) return NOT_THERE;
  for (let at = start + 1; ;) {
    const end = endOfText(json, at);
    if (end === NOT_THERE || json[end] !== BYTE.colon) return NOT_THERE;
    if (endOfLiteral(json, at, quotedName) === end) return end + 1;
    at = endOfValue(json, end + 1);
    if (at === NOT_THERE || json[at] !== BYTE.comma) return NOT_THERE;
    at += 1;
  }
}

/**
 * Finds a list in an answer without parsing it. The text around it is only looked at as far as needed, so it must still be parsed.
 *
 * @param json without blanks between its values
 * @param path names of members, from the outermost object to the list
 * @returns the place after its opening bracket, `undefined` when it is not there
 */
export function listInAnswer(json: Uint8Array, path: readonly string[]): number | undefined {
  let at = 0;
  for (const name of path) {
    at = memberAt(json, at, Buffer.from(JSON.stringify(name)));
    if (at === NOT_THERE) return undefined;
  }
  return json[at] === BYTE.openingBracket ? at + 1 : undefined;
}
