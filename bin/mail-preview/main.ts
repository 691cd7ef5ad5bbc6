import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { writeMails } from '#scripts/mail-template.ts';
import { shownMail, watchFolders } from '../mail-pages/mails.ts';
import type { MailSource, ShownMail } from '../mail-pages/mails.ts';
import { readOptions } from '#scripts/command-line.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';
import { wholeOption } from '../local/terminal/terminal.ts';
import { openMailPages } from '../mail-pages/server.ts';

const WORKER = new URL('./samples.worker.ts', import.meta.url);
const ROOT = join(import.meta.dirname, '../..');
/** Folders where an edit changes the look of mails. */
const WATCHED = ['functions/mail', 'functions/page', 'functions/alerts', 'bin/mail-preview'];

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

/** Rendered again whenever a template, text or code changes. `tell` gets what was wrong, or `undefined`, each time. */
async function liveSamples(tell: (problem: string | undefined) => void) {
  const listeners = new Set<() => void>();
  let mails: ShownMail[] = [];
  // If rendering fails, the mails stay as they were.
  const render = async () => {
    try {
      await writeMails();
      mails = await renderSamples();
      tell(undefined);
      for (const listener of listeners) listener();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  };
  let work = render();
  await work;
  const folders = WATCHED.map((folder) => join(ROOT, folder));
  const end = watchFolders(folders, { recursive: true }, () => {
    work = work.then(render);
  });
  const source: MailSource = {
    title: 'Samples',
    read: () => Promise.resolve(mails),
    watch: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
  return { source, end };
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
  const { source, end } = await liveSamples((problem) => {
    const time = new Date().toISOString().slice(11, 19);
    if (problem === undefined) console.log(`${time} rendered`);
    else console.error(`${time} not rendered: ${problem}`);
  });
  const pages = await openMailPages(source, port);
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
