import { Transform, pipeline, type Readable, type TransformCallback } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { LONGEST_LINE, mostUnpacked } from '#records/storage/object-bounds.ts';
import type { DataFile } from '#records/revision/manifest.ts';
import { InterruptedReadError, StoredObjectError } from '#runtime/s3-objects.ts';
import { createHash, hash } from 'node:crypto';

/** The error for a file that is not the one in its manifest. @param key the file's key */
export function otherThanSealed(key: string): StoredObjectError {
  return new StoredObjectError(
    key,
    'is not the file that was sealed: its manifest has another size or SHA-256',
  );
}

/** From the system or from zlib, such as `Z_DATA_ERROR`. */
function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function atMost(bytes: number, failure: StoredObjectError): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      left -= chunk.length;
      if (left < 0) done(failure);
      else done(null, chunk);
    },
  });
}

/** A line in many pieces is joined once: linear in its length. */
class Lines {
  readonly #file: DataFile;
  #pieces: string[] = [];
  #length = 0;
  #count = 0;

  constructor(file: DataFile) {
    this.#file = file;
  }

  *of(text: string): Generator<string> {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end));
      yield this.#line();
      start = end + 1;
    }
    this.#keep(text.slice(start));
  }

  *rest(): Generator<string> {
    if (this.#length > 0) yield this.#line();
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > LONGEST_LINE) {
      throw new StoredObjectError(this.#file.key, `has a line of more than ${LONGEST_LINE} characters`);
    }
    this.#pieces.push(piece);
  }

  #line(): string {
    this.#count += 1;
    if (this.#count > this.#file.rows) {
      throw new StoredObjectError(
        this.#file.key,
        `has more lines than the ${this.#file.rows} rows of its manifest`,
      );
    }
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/**
 * The lines of a sealed file, no further than the manifest allows: another file in its place costs no more.
 * @throws {StoredObjectError} when the file has more, or is not a whole gzip file
 * @throws {InterruptedReadError} when the connection broke
 */
export async function* sealedLines(body: Readable, file: DataFile): AsyncGenerator<string> {
  const { key, bytes } = file;
  const packed = atMost(
    bytes,
    new StoredObjectError(key, `has more than the ${bytes} bytes of its manifest`),
  );
  const unpacked = createGunzip();
  const most = mostUnpacked(bytes);
  const text = atMost(most, new StoredObjectError(key, `has more than ${most} bytes unpacked`));
  // Not `pipe`, which does not pass failures on: a reader would wait for ever. One that stops early ends the connection.
  pipeline(body, packed, unpacked, text, () => undefined);
  const sum = createHash('sha256');
  body.on('data', (chunk: Uint8Array) => sum.update(chunk));
  const lines = new Lines(file);
  try {
    // Not `readline`: it also breaks lines at U+2028, which JSON strings may hold unescaped.
    for await (const chunk of text.setEncoding('utf8')) {
      yield* lines.of(String(chunk));
    }
    if (sum.digest('hex') !== file.sha256) throw otherThanSealed(key);
    yield* lines.rest();
  } catch (error) {
    if (error instanceof StoredObjectError) throw error;
    // The stream's own error does not name the object. Only zlib's errors are about the content.
    const code = failureCode(error);
    const Failure = code.startsWith('Z_') ? StoredObjectError : InterruptedReadError;
    throw new Failure(key, `cannot be read to its end (${code})`);
  }
}

/**
 * {@link sealedLines} of a small file in memory: most of the time goes into streams otherwise.
 * @throws {StoredObjectError} when it is not the file in the manifest
 */
export function* sealedLinesOf(packed: Buffer, file: DataFile): Generator<string> {
  if (hash('sha256', packed) !== file.sha256) throw otherThanSealed(file.key);
  const text = gunzipSync(packed, { maxOutputLength: mostUnpacked(file.bytes) }).toString('utf8');
  const lines = new Lines(file);
  yield* lines.of(text);
  yield* lines.rest();
}
