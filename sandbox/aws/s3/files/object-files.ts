// Everything that reads or changes the tree is synchronous: the event loop is the lock. A condition is checked and the
// object is put in place in one step, so exactly one of n conditional writes succeeds.
// Before that, bodies are streamed to their own files. Two processes must not share a directory.
import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  utimesSync,
  type BigIntStats,
  type Stats,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { FormerVersions, NO_VERSION } from './former-versions.ts';
import { Sidecars, type Attributes } from './sidecar.ts';
import type { Upload } from '../parts.ts';

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

export interface StoredObject {
  key: string;
  path: string;
  size: number;
  modified: Date;
  attributes: Attributes;
}

interface ListedVersion {
  key: string;
  versionId: string;
  isLatest: boolean;
  modified: Date;
  size: number;
  attributes?: Attributes | undefined;
}

/** The objects as plain files `<directory>/s3/<bucket>/<key>`. Their attributes are in `<directory>/.s3-meta`. */
export class ObjectFiles {
  readonly #tree: string;
  readonly #incoming: string;
  readonly #sidecars: Sidecars;
  /** The uploads in parts, by their ids. Nobody continues one after a restart, so they are in memory. */
  readonly uploads = new Map<string, Upload>();
  readonly #now: () => number;
  readonly #former: FormerVersions;
  readonly #keepsVersions: boolean;
  readonly #onPlaced: (bucket: string, object: StoredObject) => void;

  /**
   * @param now milliseconds since 1970 UTC; the time of new objects, parts and uploads
   * @param keepsVersions whether an object that is replaced or removed stays as a former version
   * @param onPlaced gets each new object
   */
  constructor(
    directory: string,
    now: () => number = Date.now,
    keepsVersions = false,
    onPlaced: (bucket: string, object: StoredObject) => void = () => undefined,
  ) {
    this.#now = now;
    this.#keepsVersions = keepsVersions;
    this.#onPlaced = onPlaced;
    const meta = join(directory, '.s3-meta');
    this.#tree = join(directory, 's3');
    this.#incoming = join(meta, 'incoming');
    this.#sidecars = new Sidecars(join(meta, 'objects'));
    this.#former = new FormerVersions(join(meta, 'versions'));
    // Half-received files of an earlier run are not needed any more.
    rmSync(this.#incoming, { recursive: true, force: true });
    for (const needed of [this.#tree, this.#incoming]) mkdirSync(needed, { recursive: true });
  }

  now(): Date {
    return new Date(this.#now());
  }

  /** A new path on the same file system as the tree, for a received body. */
  incomingPath(): string {
    return join(this.#incoming, randomUUID());
  }

  /** The keys that begin with `prefix`, in the order of their UTF-8 bytes. */
  keys(bucket: string, prefix = ''): string[] {
    // Only the directory that the prefix names needs to be walked.
    const within = pathOfKey(prefix).split('/').slice(0, -1).join('/');
    return [...keysBelow(join(this.#tree, bucket), within)]
      .filter((key) => key.startsWith(prefix))
      .sort(byBytes);
  }

  find(bucket: string, key: string): StoredObject | undefined {
    const path = this.#locate(bucket, key);
    if (path === undefined) return undefined;
    const stats = statSync(path, { bigint: true });
    const attributes = this.#sidecars.read(bucket, key, path, stampOf(stats));
    return { key, path, size: Number(stats.size), modified: stats.mtime, attributes };
  }

  /** All versions of the keys that begin with `prefix`: by key, and the newest first. One without attributes is a delete marker. */
  versions(bucket: string, prefix = ''): ListedVersion[] {
    const former = this.#former.keys(bucket).filter((key) => key.startsWith(prefix));
    return [...new Set([...this.keys(bucket, prefix), ...former])].sort(byBytes).flatMap((key) => {
      const current = this.find(bucket, key);
      const versionId = current?.attributes.versionId ?? NO_VERSION;
      const all = [
        ...(current === undefined ? [] : [{ ...current, versionId }]),
        ...this.#former.of(bucket, key),
      ];
      return all.map((version, index) => ({ ...version, isLatest: index === 0 }));
    });
  }

  /** A version of an object, the present one or a former one. */
  findVersion(bucket: string, key: string, wanted: string): StoredObject | undefined {
    const current = this.find(bucket, key);
    if (current !== undefined && (current.attributes.versionId ?? NO_VERSION) === wanted) return current;
    const version = this.#former.of(bucket, key).find(({ versionId }) => versionId === wanted);
    if (version?.attributes === undefined) return undefined;
    return { ...version, attributes: version.attributes, path: this.#former.path(bucket, version) };
  }

  /** Moves a received file to its key's place, over what was there. */
  place(bucket: string, key: string, received: string, given: Attributes): StoredObject {
    const attributes = this.#keepsVersions ? { ...given, versionId: randomUUID() } : given;
    this.#keepFormer(bucket, key);
    const placed = this.#put(bucket, key, received, attributes, this.now());
    this.#onPlaced(bucket, placed);
    return placed;
  }

  #put(bucket: string, key: string, received: string, attributes: Attributes, time: Date): StoredObject {
    const root = join(this.#tree, bucket);
    const plain = join(root, pathOfKey(key));
    // The kernel stamps files by the machine's clock.
    utimesSync(received, time, time);
    const stats = statSync(received, { bigint: true });
    makeDirectory(dirname(plain), root);
    const target = isDirectory(plain) ? pathBesideDirectory(plain) : plain;
    this.#sidecars.write(bucket, key, stampOf(stats), attributes);
    renameSync(received, target);
    if (target === plain) rmSync(pathBesideDirectory(plain), { force: true });
    return { key, path: target, size: Number(stats.size), modified: stats.mtime, attributes };
  }

  /** Removes an object, and the directories that only it held; nothing if there is none. */
  remove(bucket: string, key: string): void {
    const path = this.#locate(bucket, key);
    if (path === undefined) return;
    this.#keepFormer(bucket, key);
    if (this.#keepsVersions) this.#former.mark(bucket, key, randomUUID(), this.now());
    this.#removeFile(bucket, key, path);
  }

  /** Removes a version for ever; nothing if there is none. Without its newest version, a key has the one before it. */
  removeVersion(bucket: string, key: string, versionId: string): void {
    const wanted = this.versions(bucket, key).find((one) => one.key === key && one.versionId === versionId);
    if (wanted === undefined) return;
    const current = this.find(bucket, key);
    if (wanted.isLatest && current !== undefined) this.#removeFile(bucket, key, current.path);
    else this.#former.remove(bucket, wanted);
    const [newest] = this.#former.of(bucket, key);
    if (newest?.attributes === undefined || this.find(bucket, key) !== undefined) return;
    this.#put(bucket, key, this.#former.path(bucket, newest), newest.attributes, newest.modified);
    this.#former.remove(bucket, newest);
  }

  #removeFile(bucket: string, key: string, path: string): void {
    rmSync(path, { force: true });
    this.#sidecars.remove(bucket, key);
    const root = join(this.#tree, bucket);
    for (let directory = dirname(path); directory !== root; directory = dirname(directory)) {
      if (readdirSync(directory).length > 0) break;
      rmdirSync(directory);
    }
  }

  #keepFormer(bucket: string, key: string): void {
    const current = this.#keepsVersions ? this.find(bucket, key) : undefined;
    if (current !== undefined) this.#former.keep(bucket, current);
  }

  #locate(bucket: string, key: string): string | undefined {
    const plain = join(this.#tree, bucket, pathOfKey(key));
    return [plain, pathBesideDirectory(plain)].find(isFile);
  }
}

/** A part of an object. Both ends are included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The bytes of an object that was just found, or of a part of it, whatever is written to its key meanwhile. */
export function openObject(object: StoredObject, range?: ByteRange): Readable {
  // Opened at once: what is renamed over the path later does not change what is read.
  const fd = openSync(object.path, 'r');
  return createReadStream('', { fd, ...(range && { start: range.first, end: range.last }) });
}

function* keysBelow(root: string, within: string): Generator<string> {
  const directory = join(root, within);
  if (!isDirectory(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) yield* keysBelow(root, path);
    const key = entry.isFile() ? keyOfPath(path) : undefined;
    if (key !== undefined) yield key;
  }
}

/** Makes a directory at or below `root`; an object that stands where one must be moves aside. */
function makeDirectory(directory: string, root: string): void {
  const names = directory
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== '');
  let path = root;
  for (const name of names) {
    path = join(path, name);
    if (isFile(path)) renameSync(path, pathBesideDirectory(path));
  }
  mkdirSync(directory, { recursive: true });
}

function stampOf(stats: BigIntStats): string {
  return `${stats.size}-${stats.mtimeNs}`;
}

function isFile(path: string): boolean {
  return statsAt(path)?.isFile() === true;
}

function isDirectory(path: string): boolean {
  return statsAt(path)?.isDirectory() === true;
}

function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // `a/b` where `a` is a file: `throwIfNoEntry` does not cover it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
