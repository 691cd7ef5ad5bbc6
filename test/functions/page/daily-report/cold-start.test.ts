import { cachedBuild } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/index.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { sourcesOf } from '#support/bundles/sources-of.ts';

const run = promisify(execFile);
const { files } = await cachedBuild();

const seenSchema = z.object({ answer: z.unknown(), loaded: z.array(z.string()) });

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort();
}

/**
 * A cold start of the built function, for one event in a new process: what it answers, and, sorted, the parts that it loads
 * when they are needed (without their hash), the packages and our own source files (from `functions/` on) of what is loaded.
 */
async function coldStart(scheduledTime: string) {
  const file = defined(files.get('daily-report'));
  const event = { merchantCode: CODE, day: DAY, scheduledTime };
  const program = `
    import { registerHooks } from 'node:module';
    import { fileURLToPath } from 'node:url';
    const loaded = [];
    registerHooks({
      load: (url, context, next) => {
        if (url.startsWith('file:')) loaded.push(fileURLToPath(url));
        return next(url, context);
      },
    });
    const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const answer = await handler(${JSON.stringify(event)});
    process.stdout.write('\\n' + JSON.stringify({ answer, loaded }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 25_000,
  });
  const { answer, loaded } = seenSchema.parse(JSON.parse(stdout.split('\n').at(-1) ?? ''));
  const all = (await Promise.all(loaded.map(sourcesOf))).flat();
  const own = all.filter((source) => !source.includes('node_modules/'));
  return {
    answer,
    parts: sorted(loaded.map((path) => basename(path).replace(/-?[A-Z0-9]*\.mjs$/, ''))),
    packages: sorted(all.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])),
    sources: sorted(own.map((source) => source.replace(/.*\/(?=functions\/)/, ''))),
  };
}

const TICK = '2026-11-21T04:00:00.000Z';
const NEXT_TICK = '2026-11-22T04:00:00.000Z';
/** What mails are made and sent with. */
const MAIL_PACKAGES = ['@aws-sdk/client-ses', 'csv-stringify', 'mustache', 'nodemailer'];

const world = useWorld({ defaults: { attachCsv: true } });
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 23, refunds: 2 });
});

/** What belongs to mails, notices and attachments, by its place. */
const MAILING =
  /^functions\/(?:mail\/|page\/(?:daily-report\/mail|rendering|workbook)\/|page\/mail-decision|records\/ledger\/|registry\/mail-address)/;

describe('a cold start of daily-report', () => {
  it('loads what pulls and compares a day, and nothing of mails, for a day that has not changed', async () => {
    await world.coldStart()({ merchantCode: CODE, day: DAY, scheduledTime: TICK });
    const { answer, parts, packages, sources } = await coldStart(NEXT_TICK);
    expect(answer).toMatchObject({ unchanged: true, mail: { status: 'already-sent' } });
    expect(parts).toEqual(['chunk', 'client', 'index', 'seal-day', 'secret-cache']);
    // Stores and senders are built before the event is known. They load what they need when they are used.
    expect(sources.filter((source) => MAILING.test(source)).sort()).toEqual([
      'functions/mail/function-dependencies.ts',
      'functions/mail/ledger-store.ts',
      'functions/mail/notices/ops-notices.ts',
      'functions/mail/suppression-list.ts',
      'functions/page/mail-decision.ts',
      'functions/records/ledger/alert-line.ts',
      'functions/records/ledger/ledger.ts',
      'functions/registry/mail-address.ts',
    ]);
    expect(packages).toEqual(
      expect.arrayContaining(['@aws-sdk/client-s3', '@aws-sdk/client-secrets-manager']),
    );
    for (const name of MAIL_PACKAGES) expect(packages).not.toContain(name);
  });

  it('loads what mails a new day, and neither workbooks nor notices to ops', async () => {
    const { answer, parts, packages } = await coldStart(TICK);
    expect(answer).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    const mailed = ['composers', 'day-page', 'ses-mail-sender'];
    const morning = ['follow-open-past', 'told-days'];
    expect(parts).toEqual(
      ['chunk', 'client', 'index', 'seal-day', 'secret-cache', ...morning, ...mailed].sort(),
    );
    expect(packages).toEqual(expect.arrayContaining(MAIL_PACKAGES));
    for (const name of ['write-excel-file', 'fflate', '@aws-sdk/lib-storage', '@aws-sdk/client-sns']) {
      expect(packages).not.toContain(name);
    }
  });
});
