import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { writeMails } from '#scripts/mail-template.ts';
import { shownMail } from '../mail-pages/mails.ts';
import type { MailSource, ShownMail } from '../mail-pages/mails.ts';
import { readOptions } from '#scripts/command-line.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';
import { wholeOption } from '../local/terminal/terminal.ts';
import { openMailPages } from '../mail-pages/server.ts';

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
class LiveSamples implements MailSource {
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

const USAGE = `Shows every mail of Daybook on a page, in every language, width and colour scheme. An edit
of a text, the template or the code of a mail is compiled and shown at once.

  npm run mail:preview -- [options]                             default

  --port <n>   the port on 127.0.0.1, 0 for any free            0
  -h, --help   show this text
`;

async function main(): Promise<void> {
  const given = readOptions(USAGE, { port: { type: 'string' } }).port;
  const port = wholeOption('port', given, 0, 65_535) ?? 0;
  const samples = new LiveSamples((problem) => {
    const time = new Date().toISOString().slice(11, 19);
    if (problem === undefined) console.log(`${time} rendered`);
    else console.error(`${time} not rendered: ${problem}`);
  });
  const end = await samples.start();
  const pages = await openMailPages(samples, port);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      end();
      void pages.close();
    });
  }
  console.log(`Mails: ${pages.url}  (Ctrl-C ends it)`);
  await pages.closed;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
