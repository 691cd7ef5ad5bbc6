/**
 * Frees the memory of a buffer at once, if no other buffer shares it. Its bytes cannot be read afterwards. Otherwise it is free after the next
 * collection, and memory outside of V8's heap that waits for one makes V8 mark its whole heap (docs/adr/0028-lines-from-bytes.md).
 */
export function freeMemory({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
