// An ordinary key is its own path. The rest is written so that every key has exactly one path, below the bucket:
//   `%`, `\` and control characters   as %XX, and the names `.` and `..` as %2E and %2E%2E
//   an empty segment (`a//b`, `a/`)   as a lone `%`
//   a segment too long for a file     as directories `<piece>%~/<piece>%~/<rest>`
//   an object that is a prefix too    (`a` beside `a/b`) as `<name>%.`, since `a` must be a directory
// No escape produces `%` at the end, `%~` or `%.`, so the three marks cannot be mistaken for a key's own text.

const maxNameBytes = 200;
const emptySegment = '%';
const continued = '%~';
const besideDirectory = '%.';

/** The path of a key below its bucket's directory, with `/` between the names; it never leaves that directory. */
export function pathOfKey(key: string): string {
  return key.split('/').map(pathOfSegment).join('/');
}

/** The path that an object has while its own path is a directory. */
export function pathBesideDirectory(path: string): string {
  return path + besideDirectory;
}

/** The key whose file this is, or `undefined` for a name that no key is stored under. */
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
