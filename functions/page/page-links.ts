import { LinkedFiles } from '#links/linked-file.ts';
import type { LinkedFile } from '#links/linked-file.ts';
import { linkKeysOf } from '#links/link-keys.ts';
import { signedToken } from '#links/token.ts';
import type { FileFormat, LinkKey } from '#links/token.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { addressHash } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import type { SnapshotStore } from './snapshot-store.ts';

interface Stored extends LinkedFile {
  format: FileFormat;
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The files that one mail links. The mail is rendered once, with a mark where each recipient's own link goes. */
export class PageLinks {
  /** What the files are made from. */
  readonly snapshots: SnapshotStore;
  readonly #place: PagePlace;
  readonly #start: string;
  readonly #secret: string;
  readonly #mailedAt: number;
  #key: LinkKey | undefined;
  readonly #marks = new Map<FileFormat, string>();

  /** @param start what a link begins with; @param mailedAt milliseconds UTC */
  constructor(
    snapshots: SnapshotStore,
    place: PagePlace,
    { start, secret, mailedAt }: { start: string; secret: string; mailedAt: number },
  ) {
    this.snapshots = snapshots;
    this.#place = place;
    this.#start = start;
    this.#secret = secret;
    this.#mailedAt = mailedAt;
  }

  /**
   * Stores a file. What can fail fails here, before the ledger says that the mail will be sent.
   * @returns the address that stands for its link in the rendered mail
   */
  async add({ format, content, ...file }: Stored): Promise<string> {
    const { s3, bucket } = this.snapshots;
    await new LinkedFiles(s3, bucket).store(this.#place, format, file, content);
    this.#key = await linkKeysOf(this.#secret).current();
    const mark = `${this.#start}link-to-${format}`;
    this.#marks.set(format, mark);
    return mark;
  }

  /** The mail with the links of this recipient. */
  filledIn(mail: RenderedMail, to: string): RenderedMail {
    const key = this.#key;
    if (key === undefined) return mail;
    let { text, html } = mail;
    for (const [format, mark] of this.#marks) {
      const [place, recipient, mailedAt] = [this.#place, addressHash(to), this.#mailedAt];
      const link = this.#start + signedToken(key, { kind: 'file', place, format, recipient, mailedAt });
      [text, html] = [text.replaceAll(mark, link), html.replaceAll(mark, link)];
    }
    return { ...mail, text, html };
  }
}

/**
 * `undefined` where the stage makes no links to files.
 * @param mailedAt milliseconds UTC; `undefined` for a mail without links
 */
export function pageLinks(
  { links }: Pick<SenderProfile, 'links'>,
  snapshots: SnapshotStore,
  place: PagePlace,
  mailedAt: number | undefined,
): PageLinks | undefined {
  if (links?.files === undefined || links.secret === undefined || mailedAt === undefined) return undefined;
  return new PageLinks(snapshots, place, { start: links.files, secret: links.secret, mailedAt });
}
