import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addDays } from '#records/day/business-day.ts';
import PostalMime from 'postal-mime';
import { readSettings } from '#bin/local/settings.ts';
import { UsageError } from '#bin/daybook/terminal/command-errors.ts';
import {
  DAY,
  LONGEST,
  endWith,
  figureRow,
  isListening,
  ledgerStatuses,
  mailFiles,
  readMails,
  runLocal,
  startLocal,
  tableRows,
  truths,
  unpaidOfWatched,
} from '#support/local-run/local-run.ts';
import { defined, anyOf, textLike, exitCodeOf, membersOf } from '#support/assertions/index.ts';
import { MAY_SKIP, newDirectory } from '#support/machine.ts';
import { lakePrograms } from '#scripts/lake.ts';
import { refuses, runCommand, says } from '#support/command/run-command.ts';
import { portOf } from '#sandbox/ports.ts';
import * as z from 'zod';

const NEXT_DAY = '2025-03-15';
const WATCHED = 'owner-700904@example.com';
/** The subject of the mail to the watched merchant. The number of unpaid invoices is not the same every time. */
const alertSubject = (state: string) =>
  textLike(new RegExp(`^${state} · \\d+ unpaid invoices? today, your limit is 10 · Palm Court Clinic$`));
const FIRING = alertSubject('Alert');
const RESOLVED = alertSubject('Back to normal');

let directory: string;
beforeEach(() => {
  directory = newDirectory();
});

const small = (...more: string[]) => ['--directory', directory, '--day', DAY, '--no-alerts', ...more];

/** With alerts and watch after the reports. */
const shown = (day: string, ...more: string[]) => {
  return ['--directory', directory, '--day', day, '--invoices', '40', '--refunds', '2', ...more];
};

const readOwn = (name: string) => readFileSync(join(directory, name), 'utf8');
const parsed = (text: string) => membersOf(JSON.parse(text));
/** The lines of the log. */
const logged = () => readOwn('daybook.log').trim().split('\n').map(parsed);

/** A run without a complaint. */
async function ranLocal(...args: string[]) {
  const run = await runLocal(...args);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run;
}

async function subjectsTo(address: string): Promise<string[]> {
  const mails = await readMails(directory);
  return mails.filter(({ to }) => to === address).map(({ subject }) => subject);
}

/**
 * Types a line into a shell, as a person does.
 *
 * @param until presses Ctrl-C when this is printed
 * @returns what it printed; with another end than 0, an error
 */
async function runTyped(line: string, { input = '', until }: { input?: string; until?: string } = {}) {
  const child = spawn('sh', ['-c', line], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const ended = exitCodeOf(child);
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += String(chunk);
    if (until !== undefined && printed.includes(until)) {
      // The whole group of processes gets it, as in a terminal.
      process.kill(-defined(child.pid), 'SIGINT');
      break;
    }
  }
  const code = await ended;
  // The shell ends by the signal, too.
  if (until === undefined) expect(code).toBe(0);
  return printed;
}

function steps(printed: string, label: string): string[] {
  const [before = ''] = printed.split('\n\n');
  const lines = before.split('\n').filter((line) => line.startsWith(`${label} `));
  return lines.map((line) => line.slice(label.length).trim());
}

/** Each runs the product several times; a build may come first. */
describe('npm start', { timeout: 3 * LONGEST }, () => {
  it('reports each day once, and finds it unchanged', async () => {
    const first = await ranLocal(...small('--invoices', '80', '--refunds', '7'));
    expect(first.stdout).not.toContain('\u001B');
    const figures = (await truths(directory, [DAY, DAY, DAY])).map(figureRow);
    expect(figures.map(([invoices]) => invoices)).toEqual(['80', '80', '80']);
    expect([...tableRows(first.stdout, 'Refunds').values()]).toEqual(figures);
    const sealed = tableRows(first.stdout, 'Balance');
    expect([...sealed.keys()]).toEqual(['700001', '700002', '700003']);
    for (const cells of sealed.values()) expect(cells.slice(0, 4)).toEqual([DAY, '1', 'balanced', 'report']);
    expect(mailFiles(directory)).toHaveLength(3);

    const second = await ranLocal(...small());
    for (const cells of tableRows(second.stdout, 'Balance').values()) {
      expect(cells.slice(0, 4)).toEqual([DAY, '1 unchanged', 'balanced', 'already sent']);
    }
    expect([...tableRows(second.stdout, 'Refunds').values()]).toEqual(figures);
    expect(mailFiles(directory)).toHaveLength(3);
  });

  it('tells the next morning what was paid since, in the report of the next day', async () => {
    const own = ['--directory', directory, '--no-alerts', '--merchants', '2', '--invoices', '60'];
    const first = await runLocal(...own);
    // The two merchants are in different zones.
    const firstDays = [...tableRows(first.stdout, 'Balance').values()].map(([day]) => defined(day));
    // A day further each time.
    for (const days of [1, 2]) {
      const later = await ranLocal(...own, '--later');
      const sealed = [...tableRows(later.stdout, 'Balance').values()];
      const rows = firstDays.map((day) => [addDays(day, days), '1', 'balanced', 'report']);
      expect(sealed.map((cells) => cells.slice(0, 4))).toEqual(rows);
      const mails = mailFiles(directory);
      expect(mails).toHaveLength(2 + 2 * days);
      for (const name of mails.slice(-2)) {
        const { subject, text } = await PostalMime.parse(readFileSync(join(directory, 'mail', name)));
        expect(subject).not.toMatch(/Correction/);
        expect(text).toMatch(/Since the last report\n-+\n {2}\d+ older invoices? w(?:as|ere) paid: /);
      }
    }
  });

  it('names three things to try next, and each works as it is printed', async () => {
    const own = ['--directory', directory, '--no-alerts', '--merchants', '1', '--invoices', '60'];
    const { stdout } = await runLocal(...own);
    const [, printed = ''] = stdout.split('\nTry next\n');
    const [later = '', serve = '', lake = '', ...more] = printed.split('\n').filter((line) => line !== '');
    expect(more).toEqual([]);
    const typed = (line: string) => line.trim().split(/ {2,}/)[0] ?? '';
    expect(await runTyped(typed(later))).toMatch(/^700001 +.*1 +balanced +report/m);
    const question = "SELECT 'figures of ' || merchant_code FROM all_days;\n";
    const hasPython = (await lakePrograms().catch(() => undefined)) !== undefined || !MAY_SKIP;
    if (hasPython) expect(await runTyped(typed(lake), { input: question })).toContain('figures of 700001');
    expect(await runTyped(typed(serve), { until: 'Inbox: http' })).toContain('While this run serves');
  });

  it('makes both reports where the next morning comes in the first run', async () => {
    const own = ['--directory', directory, '--no-alerts', '--merchants', '1', '--invoices', '60'];
    const { stdout } = await ranLocal(...own, '--later');
    expect(tableRows(stdout, 'Balance').get('700001')?.slice(1, 4)).toEqual(['1', 'balanced', 'report']);
    expect(mailFiles(directory)).toHaveLength(2);
  });

  it('leaves files that can be read', async () => {
    const { stdout } = await ranLocal(...small('--merchants', '2', '--invoices', '40', '--refunds', '3'));
    const objects = join(directory, 's3/daybook');
    const csv = globSync(`invoices/csv/day=${DAY}/merchant=700002/*.csv.gz`, { cwd: objects });
    const rows = gunzipSync(readFileSync(join(objects, csv[0] ?? ''))).toString('utf8');
    expect(rows.split('\n')).toHaveLength(1 + 40 + 1);
    for (const name of mailFiles(directory)) {
      const page = readFileSync(join(directory, 'mail', name.replace('.eml', '.html')), 'utf8');
      expect(page).toMatch(
        /^<!doctype html>[^]+<iframe sandbox title="the mail" srcdoc="[^"]+"><\/iframe>\n$/,
      );
    }
    expect(logged().map(({ message }) => message)).toContain('reported');
    expect(stdout).not.toContain('"message"');
    expect(globSync('{functions.tmp,running.pid,serving.json*}', { cwd: directory })).toEqual([]);
  });

  it('says what it does about options that differ from the run before', async () => {
    const run = (...more: string[]) => ranLocal(...small('--invoices', '30', ...more));
    await run('--merchants', '2', '--refunds', '2');
    const smaller = await run('--merchants', '1', '--invoices', '20', '--refunds', '5');
    expect(smaller.stdout).toContain(
      '700001: stays at 30 invoices (--fresh starts again from nothing); 3 more refunds came in',
    );
    const [truth] = await truths(directory, [DAY]);
    const figures = [...tableRows(smaller.stdout, 'Refunds')];
    expect(figures).toEqual([['700001', figureRow(defined(truth))]]);
    const { stdout } = await run('--merchants', '1', '--invoices', '20', '--fresh');
    const cells = ['Refunds', 'Balance'].map((heading) => tableRows(stdout, heading).get('700001'));
    expect([cells[0]?.[0], cells[1]?.[1]]).toEqual(['20', '1']);
    expect(mailFiles(directory)).toHaveLength(1);
  });
});

describe('npm start, after the reports', { timeout: 3 * LONGEST }, () => {
  it('prints what the README shows, whatever the day', async () => {
    const [prints = '', tables = ''] =
      readFileSync('README.md', 'utf8').match(/(?<=^```\n)(?:service|Merchant) .*?(?=^```$)/gms) ?? [];
    const { stdout } = await ranLocal('--directory', directory);
    const shapes = (text: string) =>
      text
        .split('\n')
        // A slow machine also prints how far it is.
        .filter((line) => line !== '' && !/^(?:build | {2}\S)/.test(line))
        // For an hour of each day, the merchants of two zones have different days.
        .map((line) => line.replaceAll(/\d[\d.,:-]*(?: +\d[\d.,:-]*)*/g, '#').replaceAll(/ +/g, ' '))
        .sort();
    expect(shapes(stdout.split('\n\n')[0] ?? '')).toEqual(shapes(prints));
    expect(shapes(stdout.split('\n\n').slice(1, 3).join('\n'))).toEqual(shapes(tables));
    // In that hour ops get a notice more, which has no ledger.
    const counts = (text: string) => text.match(/^service +\d+ requests$|\d+ of \d+ ledgers say so/gm);
    expect(counts(stdout)).toEqual(counts(prints));
    const files = await Promise.all(
      mailFiles(directory).map((name) => PostalMime.parse(readFileSync(join(directory, 'mail', name)))),
    );
    const attached = files.flatMap(({ attachments }) => attachments.map(({ filename }) => filename ?? ''));
    expect(attached.filter((name) => name.startsWith('statement-') && name.endsWith('.pdf'))).toHaveLength(2);
  });

  it('fires an alert, stays quiet, resolves it, and notifies ops once a day of a missing report', async () => {
    const first = await ranLocal(...shown(DAY, '--merchants', '2'));
    const low = await unpaidOfWatched(directory);
    expect(steps(first.stdout, '700904')).toEqual([
      textLike(/^check at 20:00: [1-9]\d unpaid, ok → firing, mailed$/),
      textLike(/^check at 20:15: [1-9]\d unpaid, firing, no mail$/),
      `check at 20:30: ${low} unpaid, firing → ok, mailed`,
      `no report for ${DAY}: ServerError`,
    ]);
    expect(low).toBeLessThanOrEqual(8);
    const missing = '700904 is missing: pull failed: ServerError';
    expect(steps(first.stdout, 'watch')).toEqual([
      'at 07:00: 2 of 3 reports arrived, ops notified by mail and topic',
      missing,
    ]);
    expect([...tableRows(first.stdout, 'Balance').keys()]).toEqual(['700001', '700002']);
    expect(steps(first.stdout, '700001').slice(1)).toEqual([
      '2025-02: 27 of 28 days, provisional, revision 1, statement mailed',
      '2025-02: 28 of 28 days, final, revision 2, correction mailed',
    ]);
    expect(steps(first.stdout, 'group')).toEqual([
      `everybody on ${DAY}: 2 merchants, 1 missing, page mailed`,
    ]);

    expect(await subjectsTo(WATCHED)).toEqual([FIRING, RESOLVED]);
    const ops = (await readMails(directory)).filter(({ to }) => to === 'ops@example.com');
    expect(ops.map(({ subject }) => subject)).toEqual([
      textLike(/^\[Daybook\] Merchant \d+, \d{4}-\d\d-\d\d: report did not arrive$/),
      textLike(/^Provisional: everybody · 14 Mar 2025 · [\d.,]+ KWD came in$/),
    ]);
    expect(ops[0]?.text).toContain(`700904, day ${DAY}: pull failed: ServerError`);
    const mails = mailFiles(directory);
    expect(mails).toHaveLength(8);
    const ledgers = ledgerStatuses(directory);
    // The days of the month before are sealed and not mailed.
    const mailed = Object.values(ledgers).filter((status) => status !== 'skipped');
    expect(mailed).toEqual(Array(4).fill('delivered'));
    const told = logged().filter((line) => 'message' in line);
    expect([...new Set(told.map(({ service }) => service))].sort()).toEqual([
      ...['alert-check', 'announce', 'daily-report', 'delivery-watch', 'mail-events', 'plan', 'statement'],
    ]);
    // Flat, in every function: a query over all logs finds a field under one name.
    for (const line of told) {
      expect(line).not.toHaveProperty('details');
      const [level, message, timestamp] = [anyOf(String), anyOf(String), anyOf(String)];
      expect(line).toMatchObject({ level, message, timestamp });
    }
    const printed = first.stdout.split('\nUnder ')[0]?.split('\n') ?? [];
    expect(printed.filter((line) => line.length > 80)).toEqual([]);

    const second = await ranLocal(...shown(DAY, '--merchants', '2'));
    for (const cells of tableRows(second.stdout, 'Balance').values()) expect(cells[1]).toBe('1 unchanged');
    expect(second.stdout).toContain('an earlier run already made these checks');
    expect(steps(second.stdout, 'watch')).toEqual([
      'at 07:00: 2 of 3 reports arrived, ops were notified before',
      missing,
    ]);
    for (const label of ['700001', 'group'])
      expect(steps(second.stdout, label).at(-1)).toContain('unchanged, no mail');
    expect(mailFiles(directory)).toEqual(mails);
    expect(ledgerStatuses(directory)).toEqual(ledgers);

    await ranLocal(...shown(NEXT_DAY, '--merchants', '2'));
    expect(await subjectsTo(WATCHED)).toEqual([FIRING, RESOLVED, FIRING, RESOLVED]);
    expect(mailFiles(directory)).toHaveLength(15);
  });

  it('continues an interrupted run, and sends no mail twice', async () => {
    const { child } = await startLocal(
      shown(DAY, '--merchants', '1', '--latency', '250'),
      /check at 20:00: .+ mailed/,
    );
    expect(await endWith(child, 'SIGINT')).toBe(130);
    expect(await subjectsTo(WATCHED)).toEqual([FIRING]);

    const { stdout } = await ranLocal(...shown(DAY, '--merchants', '1'));
    const [, second, third] = steps(stdout, '700904');
    expect(second).toMatch(/unpaid, firing, no mail$/);
    expect(third).toMatch(/firing → ok, mailed$/);
    expect(await subjectsTo(WATCHED)).toEqual([FIRING, RESOLVED]);
  });
});

describe('npm start, asked for what it cannot do', { timeout: LONGEST }, () => {
  it.each([
    ['--nope'],
    ['--day', '9999-01-01'],
    ['--directory', '/etc/hosts'],
    ['--directory', '/proc/nothing/there'],
  ])('refuses a wrong option in one line: %s %s', async (...args) => {
    const { code, stdout, stderr } = await runLocal(...args.filter((arg) => typeof arg === 'string'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(args[0].replace(/^--/, ''));
  });

  it.each([
    ['extra'],
    ['--day', '2026-02-30'],
    ['--invoices', '-5'],
    ['--merchants', '0'],
    ['--refunds', 'many'],
    ['--port', '70000', '--serve'],
    ['--port', '8080'],
  ])('has settings that refuse %s %s', (...args) => {
    const words = args.filter((arg) => typeof arg === 'string');
    expect(() => readSettings(words)).toThrow(UsageError);
    expect(() => readSettings(words)).toThrow(args[0].replace(/^--/, ''));
  });

  it('says that a port is in use before it does anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = portOf(other);
    const run = await runLocal(...small('--serve', '--port', String(port)));
    other.close();
    const stderr = `port ${port} is in use; choose another with --port\n`;
    expect(run).toEqual({ code: 2, stdout: '', stderr });
  });

  it('removes nothing from a directory that is not its own', async () => {
    mkdirSync(join(directory, 'mail'));
    writeFileSync(join(directory, 'mail/letter.eml'), 'Subject: mine');
    const stderr = `${directory} holds other files than those of a local run; choose another with --directory\n`;
    expect(await runLocal(...small('--fresh'))).toMatchObject({ code: 2, stderr });
    expect(readOwn('mail/letter.eml')).toBe('Subject: mine');
  });

  it('takes a directory in which other commands of the repository have kept their files, and leaves these', async () => {
    mkdirSync(join(directory, 'trino'));
    const kept = ['trino/installed', 'test-results.json'];
    for (const name of kept) writeFileSync(join(directory, name), 'kept');
    await ranLocal(...small('--fresh'));
    for (const name of kept) expect(readOwn(name)).toBe('kept');
  });
});

/** A run of one merchant, when it serves. */
const startServing = () => startLocal(small('--merchants', '1', '--invoices', '20', '--serve'), /Inbox: \S+/);

describe('npm start, interrupted', { timeout: 2 * LONGEST }, () => {
  it('stops listening when it is interrupted at work, and the next run continues in its directory', async () => {
    const slow = small('--merchants', '1', '--invoices', '60', '--latency', '2000');
    const { child } = await startLocal(slow, /plan .+due/);
    const { baseUrl } = membersOf(parsed(readOwn('s3/daybook/config/merchants.json'))['service']);
    const port = Number(new URL(String(baseUrl)).port);
    expect(await isListening(port)).toBe(true);

    await refuses(runLocal(...small()), 2, `is in use by another run (process ${child.pid}`);

    expect(await endWith(child, 'SIGINT')).toBe(130);
    expect(await isListening(port)).toBe(false);
    await ranLocal(...small('--merchants', '1'));
    expect(mailFiles(directory)).toHaveLength(1);
  });

  it('leaves no run that serves behind when it is killed', async () => {
    const { child } = await startServing();
    expect(await endWith(child, 'SIGKILL')).toBeNull();
    expect(existsSync(join(directory, 'serving.json'))).toBe(true);
    await ranLocal(...small('--merchants', '1'));
    expect(existsSync(join(directory, 'serving.json'))).toBe(false);
  });
});

const servingSchema = z.object({
  stage: z.literal('local'),
  environment: z.record(z.string(), z.string()),
  process: z.string(),
});

describe('npm start -- --serve', { timeout: 2 * LONGEST }, () => {
  it('keeps the stage up: its functions run, and their mails come into the inbox', async () => {
    const { child, printed } = await startServing();
    const url = /Inbox: (\S+)/.exec(printed())?.[1] ?? '';
    const page = async () => (await fetch(url)).text();
    expect(await page()).toContain('owner-700001@example.com');
    expect(printed()).toContain(`npx daybook status --local --directory ${directory}`);

    // A merchant that the service knows can be added, with the line that is printed.
    const line = defined(/npx daybook (merchant add .*) <(\S+)/.exec(printed()));
    const credentials = readFileSync(defined(line[2]), 'utf8');
    const added = await says(runCommand(defined(line[1]).split(' '), { input: credentials }), 0);
    expect(added.stderr).toContain('The service takes the credentials.');

    const { environment, process } = servingSchema.parse(parsed(readOwn('serving.json')));
    expect(Number.parseInt(process, 10)).toBe(child.pid);
    const daybook = (...words: string[]) => runCommand([...words, '--local', '--directory', directory]);
    const changes = await fetch(new URL('/changes', url));
    const heard = new TextDecoderStream();
    const reader = defined(changes.body).pipeThrough(heard).getReader();
    expect((await reader.read()).value).toContain('open');
    const preview = daybook('report', '700001', '--day', DAY, '--to', 'ops@example.com', '--yes');
    expect(await preview).toMatchObject({ code: 0, stderr: '' });
    expect((await reader.read()).value).toContain('changed');
    await reader.cancel();
    expect(await page()).toContain('ops@example.com');
    const range = ['--from', '2025-03-12', '--to', '2025-03-13', '--merchant', '700001'];
    await says(daybook('backfill', ...range), 0, '1 of 1 merchants are done: every day is sealed.');
    const unknown = daybook('invoke', 'daily-report', '{"merchantCode":"799999"}', '--yes');
    await refuses(unknown, 1, 'UnknownMerchantError');

    const serves = `${child.pid}, .*which serves: .*npx daybook status --local.*--directory\\n$`;
    await refuses(runLocal(...small()), 2, new RegExp(`in use by another run \\(process ${serves}`));

    expect(await endWith(child, 'SIGINT')).toBe(130);
    const ports = [url, ...Object.values(environment)].flatMap((text) => URL.parse(text)?.port ?? []);
    expect(ports.length).toBeGreaterThanOrEqual(7);
    for (const port of ports) expect(await isListening(Number(port))).toBe(false);
    expect(globSync('{functions.tmp,running.pid,serving.json*}', { cwd: directory })).toEqual([]);
  });
});
