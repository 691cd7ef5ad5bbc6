import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { writeMails } from '#scripts/mail-template.ts';
import { shownMail } from '../mail-pages/mails.ts';
import type { MailSource, ShownMail } from '../mail-pages/mails.ts';

const WORKER = new URL('./samples.worker.ts', import.meta.url);
const ROOT = join(import.meta.dirname, '../..');
/** Folders where an edit changes the look of mails. */
const WATCHED = ['functions/mail', 'functions/page', 'functions/alerts', 'bin/mail-preview'];
/** Editors write a file more than once. Milliseconds. */
const SETTLED_AFTER = 150;

const messageSchema = z.object({ id: z.string(), raw: z.instanceof(Uint8Array) });

async function renderSamples(): Promise<ShownMail[]> {
  const worker = new Worker(WORKER);
  const mails: Promise<ShownMail>[] = [];
  worker.on('message', (message) => {
    const { id, raw } = messageSchema.parse(message);
    mails.push(shownMail(id, raw));
  });
  await once(worker, 'exit');
  return Promise.all(mails);
}

/** Every sample mail. It is compiled and rendered again whenever a template, a text or the code of a mail changes. */
export class LiveSamples implements MailSource {
  readonly title = 'Samples';
  readonly #tell: (problem: string | undefined) => void;
  readonly #listeners = new Set<() => void>();
  #mails: ShownMail[] = [];
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  /** @param tell called after every rendering: with what was wrong, or `undefined` */
  constructor(tell: (problem: string | undefined) => void) {
    this.#tell = tell;
  }

  /** Renders once, then watches. @returns a function that ends the watching */
  async start(): Promise<() => void> {
    await this.#render();
    const watchers = WATCHED.map((folder) =>
      watch(join(ROOT, folder), { recursive: true }, () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#work = this.#work.then(() => this.#render());
        }, SETTLED_AFTER);
      }),
    );
    return () => {
      clearTimeout(this.#timer);
      for (const watcher of watchers) watcher.close();
    };
  }

  readonly read = (): Promise<ShownMail[]> => Promise.resolve(this.#mails);

  readonly watch = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  };

  /** If rendering fails, the mails stay as they were. */
  async #render(): Promise<void> {
    try {
      await writeMails();
      this.#mails = await renderSamples();
      this.#tell(undefined);
      for (const listener of this.#listeners) listener();
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }
}
