import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { linkTokens } from '#mail/links/link-tokens.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import {
  type HttpApi,
  linksIn,
  linkVariables,
  READER,
  READER_HASH,
  seedLinkedDay,
  serveLinks,
} from '#support/doors/doors.ts';
import { defined, textWith } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const FILE = `links/days/day=${DAY}/merchant=${CODE}/r0001.csv`;
const SETTINGS = { attachCsv: true, redact: ['customer_phone_number'] };

const allows = (action: string, Resource: z.ZodType<string>) =>
  z.strictObject({ Effect: z.literal('Allow'), Action: z.literal(action), Resource });
const policySchema = z.strictObject({
  Version: z.string(),
  Statement: z.tuple([allows('s3:GetObject', z.string()), allows('kms:Decrypt', z.literal('*'))]),
});

let world: DaybookWorld;
let api: HttpApi;
let link: string;
const logged: string[] = [];

/** What a visit made the function ask AWS for. */
async function visit(url: string, init: RequestInit = {}) {
  const before = world.aws.requests.length;
  const response = await fetch(url, { redirect: 'manual', ...init });
  const html = await response.text();
  const asked = world.aws.requests.slice(before).map(({ operation, key = '' }) => `${operation} ${key}`);
  return { status: response.status, headers: response.headers, html, asked };
}

const download = (url = link) =>
  visit(url, { method: 'POST', body: new URLSearchParams({ do: 'download' }) });

beforeAll(async () => {
  api = await serveLinks();
  world = await DaybookWorld.start({ environment: linkVariables(api.url), defaults: SETTINGS });
  seedLinkedDay(world);
  await world.report();
  [link = ''] = linksIn((await world.lastMail('report')).html, api.url);
  for (const stream of [process.stdout, process.stderr] as const) {
    vi.spyOn(stream, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  }
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text) => void logged.push(String(text)));
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all([world.close(), api.close()]);
});

describe('a file that is too large for a mail', () => {
  it('is a link in it, one for each recipient, in place of the advice to ask somebody', async () => {
    const mail = await world.lastMail('report');
    expect(mail.attachments).toEqual([]);
    expect(mail.text).toContain(`Get the file: ${link}`);
    expect(mail.text).not.toMatch(/too large to send|link-to-/);
    expect(mail.html).not.toContain('link-to-');
    expect(world.keys('links/')).toEqual([FILE]);
  });

  it('is shown to programs that look at links, and not handed out: nothing is read but its size', async () => {
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const { status, asked } = await visit(link, { method });
      expect(status).toBe(200);
      expect(asked.filter((one) => !one.includes('GetSecretValue'))).toEqual([
        'GetObject config/last-good/merchants.json',
        'GetObject config/merchants.json',
        `GetObject ${suppressionKey(READER_HASH)}`,
        `HeadObject ${FILE}`,
      ]);
    }
    const { html } = await visit(link);
    expect(html).toMatch(/invoices-2026-11-20-r1-[\w-]+\.csv/);
    expect(html).toMatch(/<bdi>240<\/bdi>[\s\S]*<bdi>\d+\.\d MB<\/bdi>/);
  });

  it('comes by its button: the rows as they were sealed, under its name, and for five minutes', async () => {
    const { status, headers } = await download();
    expect(status).toBe(303);
    const location = defined(headers.get('location'));
    const file = await fetch(location);
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="invoices-[\w.-]+\.csv"; filename\*=UTF-8''invoices-[\w.%-]+\.csv$/,
    );
    const [heads = [], ...rows]: string[][] = parse(await file.text(), { bom: true });
    const sealed = (await world.text(defined((await world.manifest(1)).files[0]).key)).trimEnd().split('\n');
    const ids = sealed.map((line) => /"id":(\d+)/.exec(line)?.[1]);
    expect(rows.map(([id]) => id)).toEqual(ids);
    expect(rows.map((row) => row[heads.indexOf('Customer phone')]).join('')).toBe('');
    expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('300');
    expect(mayRead(location)).toBe(FILE);
  });

  it('is recorded in one line when it is handed out, without an address', async () => {
    logged.length = 0;
    await download();
    const [line, ...others] = logged.filter((text) => text.includes('file handed out'));
    expect([line, others]).toEqual([textWith(FILE), []]);
    for (const secret of [READER, link.split('/').at(-1)]) expect(logged.join('')).not.toContain(secret);
  });
});

/** The one file that the session behind a signed address may read. AWS holds the address to that policy. */
function mayRead(location: string): string {
  const token = new URL(location).searchParams.get('X-Amz-Security-Token') ?? '';
  const { Statement } = policySchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
  return Statement[0].Resource.replace(`arn:aws:s3:::${BUCKET}/`, '');
}

describe('a file of any page', () => {
  const HOSTILE = 'شركة "x"\r\nSet-Cookie: a=b; ../../etc';

  it('has a name that adds no header, in any script', async () => {
    await world.putRegistry({ [CODE]: { name: HOSTILE } });
    await world.report({ resend: true });
    const { headers } = await fetch(defined((await download()).headers.get('location')));
    expect(headers.get('set-cookie')).toBeNull();
    const named = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1];
    expect(decodeURIComponent(named ?? '')).toBe(`invoices-${DAY}-r1-شركة-x-Set-Cookie-a-b-etc.csv`);
    await world.putRegistry();
  });

  it('is a CSV in place of a workbook that is too large to be made, of a day and of a week', async () => {
    await world.putRegistry({ [CODE]: { attachXlsx: true, attachCsv: false } });
    await world.report({ resend: true });
    expect(linksIn((await world.lastMail('report')).html, api.url)[0]).toMatch(/\.csv\./);
    world.clockAhead += 2 * 86_400_000;
    await world.statement({ merchantCode: CODE, period: '2026-W47' });
    const mail = await world.lastMail('statement');
    expect(mail.attachments.map(({ filename }) => filename?.split('.').at(-1))).toEqual(['pdf']);
    const [ofWeek = ''] = linksIn(mail.html, api.url);
    const location = defined((await download(ofWeek)).headers.get('location'));
    expect(mayRead(location)).toMatch(/^links\/statements\/period=2026-W47\/merchant=\d+\/r0001\.csv$/);
    const file = await fetch(location);
    const [heads = [], ...rows]: string[][] = parse(await file.text(), { bom: true });
    expect([heads[0], rows.length]).toEqual(['Day', 240]);
    expect(new Set(rows.map(([day]) => day))).toEqual(new Set([DAY]));
    await world.putRegistry();
  });

  it('is not linked by a preview, whose readers are others', async () => {
    await world.report({ to: ['ops@example.com'] });
    const preview = await world.lastMail('preview');
    expect(linksIn(preview.html, api.url)).toEqual([]);
    expect(preview.text).toContain('too large to send');
  });

  it('that cannot be stored or signed leaves the mail unsent, and the next run sends it', async () => {
    const sent = world.mails('report').length;
    world.awsDoes({ kind: 'error', status: 403, code: 'AccessDenied' }, { key: /^links\//, times: 1 });
    await expect(world.report({ resend: true })).rejects.toThrow('AccessDenied');
    expect(world.mails('report')).toHaveLength(sent);
    await world.report({ resend: true });
    expect(world.mails('report')).toHaveLength(sent + 1);
  });
});

describe('a link', () => {
  it('leads nowhere else, whatever host, path and query a request names', async () => {
    const { html, headers } = await visit(`${link}?next=https://evil.example`, {
      headers: { 'x-forwarded-host': 'evil.example', referer: 'https://evil.example' },
    });
    const origin = new URL(defined((await download()).headers.get('location'))).origin;
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${origin};`);
    expect(`${html}${JSON.stringify([...headers])}`).not.toContain('evil');
  });

  it('that is none is answered in both languages, without a request to AWS and without a line in the log', async () => {
    logged.length = 0;
    const longer = `${link.split('/').at(-1) ?? ''}A`;
    const header = encodeURIComponent('f.م.../\r\nset-cookie: a');
    for (const token of ['x', longer, header, 'a'.repeat(5_000)]) {
      const { status, html, asked } = await visit(`${api.url}/d/${token}`);
      expect(status).toBe(404);
      expect(html).toMatch(/lang="ar" dir="rtl"[\s\S]*lang="en" dir="ltr"/);
      expect(asked).toEqual([]);
    }
    expect(logged).toEqual([]);
  });

  it('is called back by linksFrom; the page that is mailed again has a new one', async () => {
    const now = new Date(world.clock.now() + 60_000).toISOString();
    await world.putRegistry({ [CODE]: { linksFrom: now } });
    expect((await visit(link)).status).toBe(410);
    expect((await download()).status).toBe(410);
    world.clockAhead += 120_000;
    await world.report({ resend: true });
    const [again = ''] = linksIn((await world.lastMail('report')).html, api.url);
    expect(again).not.toBe(link);
    expect([(await visit(link)).status, (await visit(again)).status]).toEqual([410, 200]);
    await world.putRegistry();
  });

  it('ends when its reader or the merchant leaves the registry or cannot be used in it, when mail to the reader is stopped, and with the file', async () => {
    const states = async () => [(await visit(link)).status, (await download()).status];
    await world.putRegistry({ [CODE]: { recipients: ['somebody@merchants.example'], language: 'ar' } });
    expect(await states()).toEqual([410, 410]);
    expect((await visit(link)).html).toContain('<main lang="ar" dir="rtl">');
    for (const unusable of [{ merchantCode: '799999' }, { reportAt: 'noon' }]) {
      await world.putRegistry({ [CODE]: unusable });
      expect(await states()).toEqual([410, 410]);
    }
    await world.putRegistry();
    expect(await states()).toEqual([200, 303]);
    await world.aws.s3.write(BUCKET, suppressionKey(READER_HASH), JSON.stringify({ reason: 'complained' }));
    expect(await states()).toEqual([410, 410]);
    await world.aws.s3.remove(BUCKET, suppressionKey(READER_HASH));
    await world.aws.s3.remove(BUCKET, FILE);
    expect(await states()).toEqual([410, 410]);
    expect((await visit(link)).html).toContain('no longer kept');
  });
});

describe('the key of links', () => {
  const CHANGING = 'daybook/prod/changing-key';
  const claim = {
    kind: 'file' as const,
    place: { owner: { merchantCode: CODE }, period: DAY, revision: 1 },
    format: 'csv' as const,
    hash: READER_HASH,
    mailedAt: 1_000,
  };

  it('is known by its id for one change of it, and an unknown id makes no more than one reading a minute', async () => {
    let now = 0;
    world.aws.secrets.put(CHANGING, 'first'.padEnd(64, '.'));
    const tokens = linkTokens(CHANGING, () => now);
    const signed = async () => (await tokens.signer())(claim);
    const first = await signed();
    const change = async (text: string) => {
      world.aws.secrets.put(CHANGING, text.padEnd(64, '.'));
      now += 3_600_000;
      return signed();
    };
    const second = await change('second');
    expect(await tokens.read(first)).toEqual(claim);
    expect(second).not.toBe(first);
    await change('third');
    expect(await tokens.read(second)).toEqual(claim);
    const before = world.aws.requests.length;
    for (let tick = 0; tick < 60; tick += 1) {
      now += 1_000;
      expect(await tokens.read(first)).toBeUndefined();
    }
    expect(world.aws.requests.length - before).toBe(2);
  });

  it('works again with the next one after one that was too short', async () => {
    const mended = 'daybook/prod/short-key';
    world.aws.secrets.put(mended, 'too short');
    const tokens = linkTokens(mended, () => 0);
    await expect(tokens.signer()).rejects.toThrow('has under 32 characters');
    world.aws.secrets.put(mended, 'long enough'.padEnd(64, '.'));
    expect(await tokens.read((await tokens.signer())(claim))).toEqual(claim);
  });
});
