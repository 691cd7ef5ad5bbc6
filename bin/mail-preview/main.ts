import { parseArgs } from 'node:util';
import { UsageError } from '../local/terminal/terminal.ts';
import { openMailPages } from '../mail-pages/server.ts';
import { LiveSamples } from './live-samples.ts';

const USAGE = `Shows every mail of Daybook on a page, in every language, width and colour scheme. An edit
of a text, the template or the code of a mail is compiled and shown at once.

  npm run mail:preview -- [options]                             default

  --port <n>   the port on 127.0.0.1, 0 for any free            0
  -h, --help   show this text
`;

function readPort(args: readonly string[]): number | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65_535)
      throw new UsageError('--port must be a number up to 65535');
    return port;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function main(args: readonly string[]): Promise<void> {
  const port = readPort(args);
  if (port === 'help') {
    process.stdout.write(USAGE);
    return;
  }
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
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
