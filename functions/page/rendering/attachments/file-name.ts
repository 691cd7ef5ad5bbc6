import type { Manifest } from '#records/revision/manifest.ts';
import type { AttachmentFormat } from '../report/report-input.ts';

/** UTF-16 units. With it a name stays below the 255 bytes of file systems and the 120 units of a mail. */
const LONGEST_NAME = 40;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
const NOT_SAFE = /[^\p{L}\p{M}\p{N}]+/gu;

/** A merchant's name for a file name: letters and digits of any script, "-" between them. May be `''`. */
function safeName(name: string): string {
  // Cut first, so that a huge name costs no more than a long one.
  const safe = name
    .slice(0, LONGEST_NAME * 4)
    .toWellFormed()
    .normalize('NFC');
  return safe
    .replace(IGNORABLE, '')
    .replace(NOT_SAFE, '-')
    .replace(/^[\p{M}-]+/u, '')
    .slice(0, LONGEST_NAME)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-+$/, '');
}

/**
 * `invoices-2026-11-20-r1-Al-Noor-Trading.xlsx`, with the code where no part of the name is safe. The name
 * comes last: an Arabic one before the date would turn the date around.
 */
export function pageFileName(
  prefix: string,
  of: { name: string; code: string },
  page: { time: string; revision: number },
  format: string,
): string {
  const name = safeName(of.name);
  return `${prefix}-${page.time}-r${page.revision}-${name === '' ? of.code : name}.${format}`;
}

/** The name of an attached file of a day's invoices, as {@link pageFileName}. */
export function attachmentFileName(
  name: string,
  { merchantCode, day, revision }: Pick<Manifest, 'merchantCode' | 'day' | 'revision'>,
  format: AttachmentFormat,
): string {
  return pageFileName('invoices', { name, code: merchantCode }, { time: day, revision }, format);
}
