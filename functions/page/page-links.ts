import { LinkedFiles } from '#mail/links/linked-file.ts';
import type { LinkedFile } from '#mail/links/linked-file.ts';
import { linkKeysOf } from '#mail/links/link-keys.ts';
import { signedToken } from '#mail/links/token.ts';
import type { FileFormat, LinkKey } from '#mail/links/token.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { addressHash } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import type { SnapshotStore } from './snapshot-store.ts';

interface Stored extends LinkedFile {
  format: FileFormat;
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

interface LinksMade {
  /** What a link begins with. */
  start: string;
  secret: string;
  /** Milliseconds UTC. */
  mailedAt: number;
}

/** The files that one mail links. The mail is rendered once, with a mark where each recipient's own link goes. */
export class PageLinks {
  /** What the files are made from. */
  readonly snapshots: SnapshotStore;
  readonly #place: PagePlace;
  readonly #made: LinksMade;
  readonly #marks = new Map<FileFormat, string>();
  #key: LinkKey | undefined;

  constructor(snapshots: SnapshotStore, place: PagePlace, made: LinksMade) {
    this.snapshots = snapshots;
    this.#place = place;
    this.#made = made;
  }

  /**
   * Stores a file. What can fail fails here, before the ledger says that the mail will be sent.
   * @returns the address that stands for its link in the rendered mail
   */
  async add({ format, content, ...file }: Stored): Promise<string> {
    const { s3, bucket } = this.snapshots;
    await new LinkedFiles(s3, bucket).store(this.#place, format, file, content);
    this.#key = await linkKeysOf(this.#made.secret).current();
    const mark = `${this.#made.start}link-to-${format}`;
    this.#marks.set(format, mark);
    return mark;
  }

  /** The mail with the links of this recipient. */
  filledIn(mail: RenderedMail, to: string): RenderedMail {
    const key = this.#key;
    if (key === undefined) return mail;
    const { start, mailedAt } = this.#made;
    const claim = { kind: 'file', place: this.#place, recipient: addressHash(to), mailedAt } as const;
    let { text, html } = mail;
    for (const [format, mark] of this.#marks) {
      const link = start + signedToken(key, { ...claim, format });
      [text, html] = [text.replaceAll(mark, link), html.replaceAll(mark, link)];
    }
    return { ...mail, text, html };
  }
}

/** `undefined` where the stage makes no links to files. @param mailedAt `undefined` for a mail without links */
export function pageLinks(
  { links }: Pick<SenderProfile, 'links'>,
  snapshots: SnapshotStore,
  place: PagePlace,
  mailedAt: number | undefined,
): PageLinks | undefined {
  const { files: start, secret } = links ?? {};
  if (start === undefined || secret === undefined || mailedAt === undefined) return undefined;
  return new PageLinks(snapshots, place, { start, secret, mailedAt });
}
