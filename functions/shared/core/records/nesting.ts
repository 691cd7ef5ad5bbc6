const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the string that begins at `start` ends, or the text does. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

/**
 * Whether arrays and objects stand in one another more than so many levels deep. Looks at the text, before it is
 * parsed: what nests without bound overflows the stack of whatever walks it, and fills the memory.
 *
 * @param json text that is perhaps JSON; what does not begin like an array or object nests not at all
 */
export function nestsDeeperThan(levels: number, json: string): boolean {
  if (!/^\s*[[{]/.test(json)) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > levels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}
