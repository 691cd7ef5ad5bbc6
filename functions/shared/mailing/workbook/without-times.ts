const END_OF_DIRECTORY = 22;
/** 1 January 1980, the earliest date in a ZIP archive. */
const FIRST_DATE = 0x0021;

/**
 * Removes the time of writing from a ZIP archive, so that the same workbook gives the same bytes. Changes the
 * archive in place.
 */
export function withoutTimes(archive: Buffer): Buffer {
  const end = archive.length - END_OF_DIRECTORY;
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const local = archive.readUInt32LE(entry + 42);
    for (const time of [entry + 12, local + 10]) {
      archive.writeUInt16LE(0, time);
      archive.writeUInt16LE(FIRST_DATE, time + 2);
    }
    entry += 46 + [28, 30, 32].reduce((bytes, length) => bytes + archive.readUInt16LE(entry + length), 0);
  }
  return archive;
}
