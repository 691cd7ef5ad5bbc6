import type { MailAttachment } from '#mail/message/mime.ts';
import { LARGEST_ATTACHMENTS } from '#page/rendering/attachments/attachment-limits.ts';
import type { StatementAttachment, StatementFormat } from '#page/rendering/statement/statement-input.ts';

export interface BuiltAttachments {
  files: MailAttachment[];
  described: StatementAttachment[];
}

export interface AttachableFile {
  format: StatementFormat;
  filename: string;
  contentType: string;
  /** `undefined` when it is too large to be made. */
  content: Uint8Array | undefined;
  rows: number;
}

/** Attaches files as far as there is room. The mail says which are too large. */
export function attachedFiles(all: readonly AttachableFile[]): BuiltAttachments {
  const built: BuiltAttachments = { files: [], described: [] };
  let left = LARGEST_ATTACHMENTS;
  for (const { format, filename, contentType, content, rows } of all) {
    if (content === undefined || content.length > left) {
      built.described.push({ kind: 'too-big', format, rows });
      continue;
    }
    left -= content.length;
    built.files.push({ filename, content, contentType });
    built.described.push({ kind: 'attached', format, filename });
  }
  return built;
}
