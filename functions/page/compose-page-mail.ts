import { Readable } from 'node:stream';
import { linkTokens } from '#mail/links/link-tokens.ts';
import { headOf, stopLinks, type MailKind, type SenderProfile } from '#mail/message/mail-head.ts';
import { composeMail, type MailAttachment } from '#mail/message/mime.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { addressHash, linkedFileKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { LARGEST_ATTACHMENTS } from './rendering/attachments/collected-attachments.ts';
import type { AttachmentFormat, PageAttachment } from './rendering/mail-parts.ts';
import type { DayStore } from './day-store.ts';

/** UTF-16 units. With it a name stays below the 255 bytes of file systems and the 120 units of a mail. */
const LONGEST_NAME = 40;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
const NOT_SAFE = /[^\p{L}\p{M}\p{N}]+/gu;

/** A name for a file name: letters and digits of any script, "-" between them. May be `''`. */
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
 * Names such as `invoices-2026-11-20-r1-Al-Noor-Trading.xlsx`, with the owner's code where no part of the name is safe. The
 * name comes last: an Arabic one before the date would turn the date around.
 */
export function pageFileName(
  prefix: 'invoices' | 'statement' | 'group' | `books-${string}`,
  name: string,
  { owner, period, revision }: PagePlace,
): (format: AttachmentFormat | 'xml') => string {
  const safe = safeName(name);
  const code = owner.merchantCode ?? owner.group;
  return (format) => `${prefix}-${period}-r${revision}-${safe === '' ? code : safe}.${format}`;
}

export const CONTENT_TYPES: Readonly<Record<AttachmentFormat | 'xml', string>> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

export interface AttachableFile {
  format: AttachmentFormat;
  /** `undefined` when it is too large to be made in one piece. */
  content?: Uint8Array | undefined;
  /** Makes it piece by piece, of any size. */
  pieces?: () => AsyncIterable<string>;
  /** Of all its tables. */
  rows: number;
  /** Linked in its place when it is too large to be made. */
  instead?: AttachableFile | undefined;
}

export interface BuiltAttachments {
  files: MailAttachment[];
  described: PageAttachment[];
}

export const NO_ATTACHMENTS: BuiltAttachments = { files: [], described: [] };

/** Bytes that there is room for beside these files; below zero: they are too large themselves. */
export function roomBeside(files: readonly MailAttachment[]): number {
  return files.reduce((left, { content }) => left - content.length, LARGEST_ATTACHMENTS);
}

/**
 * Attaches files as far as there is room, first ones first. Those too large are linked, or the mail says so.
 * @param books import files, which programs need whole: they have room before all others
 */
export async function attachedFiles(
  all: readonly AttachableFile[],
  nameOf: (format: AttachmentFormat) => string,
  links: PageLinks | undefined,
  books: BuiltAttachments = NO_ATTACHMENTS,
): Promise<BuiltAttachments> {
  const built: BuiltAttachments = { files: [], described: [] };
  let left = roomBeside(books.files);
  for (const file of all) {
    const isMade = links === undefined || file.content !== undefined;
    const made = isMade ? file : (file.instead ?? file);
    const { format, content, rows } = made;
    const filename = nameOf(format);
    if (content !== undefined && content.length <= left) {
      left -= content.length;
      built.files.push({ filename, contentType: CONTENT_TYPES[format], content });
      built.described.push({ kind: 'attached', format, rows });
    } else {
      const href = await links?.add(made, filename);
      if (href === undefined) built.described.push({ kind: 'too-big', format, rows });
      else built.described.push({ kind: 'linked', format, rows, href });
    }
  }
  return {
    files: [...built.files, ...books.files],
    described: [...built.described, ...books.described],
  };
}

/** How much of a file is handed on at once, in bytes. By default it would be each row. */
const IN_BYTES = { objectMode: false, highWaterMark: 256 * 1024 };

/** A file by its name in any script. RFC 6266: programs that do not know the second name take the first. */
function dispositionOf(filename: string): string {
  const plain = filename.replaceAll(/[^\w.-]+/g, '-');
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
  const named = encodeURIComponent(filename).replaceAll(/['()*]/g, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${named}`;
}

/** The files that one mail links. The mail is rendered once, with a mark where each recipient's own link goes. */
export type PageLinks = NonNullable<ReturnType<typeof pageLinks>>;

/** `undefined` where the stage makes no links to files. @param mailedAt milliseconds UTC; `undefined` for a mail without links */
export function pageLinks(
  { links }: Pick<SenderProfile, 'links'>,
  snapshots: DayStore,
  place: PagePlace,
  mailedAt: number | undefined,
) {
  const { files: start, secret } = links ?? {};
  if (start === undefined || secret === undefined || mailedAt === undefined) return undefined;
  const linksOf = new Map<string, (to: string) => string>();
  return {
    /**
     * Stores a file, and replaces what was stored of that page. What can fail fails here, before the ledger says that the mail
     * will be sent.
     * @returns the address that stands for its link in the rendered mail; `undefined` when it is too large to be made
     */
    add: async ({ format, content, pieces, rows }: AttachableFile, filename: string) => {
      const Body = content ?? (pieces && Readable.from(pieces(), IN_BYTES));
      if (Body === undefined) return undefined;
      const { Upload } = await import('#runtime/upload.ts');
      const params = {
        Bucket: snapshots.bucket,
        Key: linkedFileKey(place, format),
        Body,
        ContentType: CONTENT_TYPES[format],
        ContentDisposition: dispositionOf(filename),
        Metadata: { rows: rows.toString(), name: encodeURIComponent(filename) },
      };
      await new Upload({ client: snapshots.s3, params }).done();
      const sign = await linkTokens(secret).signer();
      const mark = `${start}link-to-${format}`;
      const claim = { kind: 'file', place, format, mailedAt } as const;
      linksOf.set(mark, (to) => `${start}${sign({ ...claim, hash: addressHash(to) })}`);
      return mark;
    },
    /** The mail with the links of this recipient. */
    filledIn: ({ subject, ...contents }: RenderedMail, to: string): RenderedMail => {
      const own = [...linksOf].map(([mark, linkOf]) => [mark, linkOf(to)] as const);
      const filled = (part: string) => own.reduce((text, [mark, link]) => text.replaceAll(mark, link), part);
      return { subject, text: filled(contents.text), html: filled(contents.html) };
    },
  };
}

interface PageMail {
  kind: MailKind;
  place: PagePlace;
  rendered: RenderedMail;
  files: readonly MailAttachment[];
  links?: PageLinks | undefined;
  /** ISO 8601, UTC: of the sealed page, so that each run makes the same mail. */
  at: string;
  /** The id of a day's pull. */
  pull?: string;
}

export async function pageMail(
  senderProfile: SenderProfile,
  brand: Parameters<typeof headOf>[1],
  { kind, place, rendered, files, links, at, pull }: PageMail,
): Promise<ComposedMail> {
  const { owner, period, revision } = place;
  const internals = { ...(pull !== undefined && { Pull: pull }), Manifest: pageKey(place) };
  const name = owner.merchantCode ?? owner.group;
  const head = {
    ...headOf(senderProfile, brand, { kind, merchantCode: name, day: period, revision, internals }),
    // A group may have the name of a merchant.
    ...(owner.merchantCode === undefined && { thread: `group ${name}, period ${period}` }),
  };
  const ledgerKey = kind === 'preview' ? undefined : pageLedgerKey(place);
  const stopLink = await stopLinks(senderProfile, ledgerKey);
  return (to) => {
    const shown = links?.filledIn(rendered, to) ?? rendered;
    return composeMail({ ...head, ...stopLink(to), to, ...shown, attachments: files, at: Date.parse(at) });
  };
}
