// The path of an ordinary key is the key itself. Other keys are escaped, so that every key has exactly one path in the bucket:
//   `%`, `\` and control characters   as %XX, and the names `.` and `..` as %2E and %2E%2E
//   an empty segment (`a//b`, `a/`)   as a single `%`
//   a segment too long for a file     as directories `<piece>%~/<piece>%~/<rest>`
//   an object whose key is also a prefix (`a` beside `a/b`) as `<name>%.`, because `a` must be a directory
// No escape produces `%` at the end, `%~` or `%.`, so these three marks cannot be part of a key's own text.

const maxNameBytes = 200;
const emptySegment = '%';
const continued = '%~';
const besideDirectory = '%.';

/** The path of a key in its bucket's directory, with `/` between the names. It never leaves that directory. */
export function pathOfKey(key: string): string {
  return key.split('/').map(pathOfSegment).join('/');
}

/** The path of an object when its own path is a directory. */
export function pathBesideDirectory(path: string): string {
  return path + besideDirectory;
}

/** The key of this file; `undefined` for a name that belongs to no key. */
export function keyOfPath(path: string): string | undefined {
  const plain = path.endsWith(besideDirectory) ? path.slice(0, -besideDirectory.length) : path;
  const key = plain
    .replaceAll(`${continued}/`, '')
    .split('/')
    .map((name) => (name === emptySegment ? '' : unescape(name)))
    .join('/');
  return pathOfKey(key) === plain ? key : undefined;
}

function pathOfSegment(segment: string): string {
  if (segment === '') return emptySegment;
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  let path = '';
  let name = '';
  for (const character of segment) {
    const escaped = escape(character);
    if (Buffer.byteLength(name + escaped) > maxNameBytes) {
      path += `${name}${continued}/`;
      name = '';
    }
    name += escaped;
  }
  return path + name;
}

function escape(character: string): string {
  if (!/[%\\\u0000-\u001f\u007f]/.test(character)) return character;
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function unescape(name: string): string {
  return name.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
