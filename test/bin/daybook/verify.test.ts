import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { manifestSchema } from '#records/revision/manifest.ts';
import { proofKey } from '#records/storage/keys.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, runCommand, says } from '#support/command/run-command.ts';
import { ALIAS, prove } from '#support/proofs/running-prove.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const PAGE = `days/day=${DAY}/merchant=${CODE}/r0001.json`;
const stage = useStage('each');

beforeEach(async () => {
  const { world } = stage;
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 2 });
  await world.report();
  await prove(world);
  stage.setTime('2026-11-22T00:30:00Z');
  await prove(world);
});

const verify = (...words: string[]) => stage.run('verify', ...words);
const file = (name: string) => join(stage.directory, name);

const saidSchema = z.object({
  verdict: z.string(),
  findings: z.array(z.object({ kind: z.string(), object: z.string(), what: z.string() })),
});

describe('daybook verify', () => {
  it('proves a page with its rows, and shows the digest that its mail has', async () => {
    const { digest } = manifestSchema.parse(JSON.parse(await stage.world.text(PAGE)));
    const existed = `${PAGE}, with these 7 rows, existed when the proof of 2026-11-21 was signed.`;
    const run = await says(verify(CODE, DAY), 0, existed, 'The chain has 2 proofs', digest.slice(0, 16));
    expect(run.stderr).toBe('');
    expect((await stage.world.lastMail('report')).text).toContain(digest.slice(0, 16));
    const said = { verdict: 'proven', page: PAGE, rows: 7 };
    expect(documentOf(await verify(CODE, DAY, '--json'))).toMatchObject(said);
  });

  it('proves it offline from a file, by the key that is trusted', async () => {
    const saved = file('evidence.json');
    await says(verify(CODE, DAY, '--save', saved), 0);
    // It has customers' data.
    expect(statSync(saved).mode & 0o077).toBe(0);
    const key = defined(stage.aws.keys.get(ALIAS)).publicKey;
    writeFileSync(file('public.pem'), key.export({ format: 'pem', type: 'spki' }));
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
    writeFileSync(file('other.pem'), other.export({ format: 'pem', type: 'spki' }));
    const requests = stage.aws.requests.length;
    // No stage is named.
    const offline = (...words: string[]) => runCommand(['verify', saved, ...words]);
    expect(await offline()).toMatchObject({ code: 0, stderr: '' });
    await says(offline('--key', file('public.pem')), 0);
    await says(offline('--key', file('other.pem')), 1, `${proofKey('2026-11-21')} is signed by another key`);
    writeFileSync(saved, readFileSync(saved, 'utf8').replace('"index":0', '"index": 0'));
    await says(offline(), 1);
    expect(stage.aws.requests).toHaveLength(requests);
  });

  it.each<[string, (world: typeof stage.world) => string]>([
    ['page', () => PAGE],
    ['file of rows', (world) => defined(world.keys('invoices/csv/')[0])],
    ['proof', () => proofKey('2026-11-21')],
    ['proof after it', () => proofKey('2026-11-22')],
    ['list of pages', (world) => defined(world.keys('proofs/pages/').find((key) => !/e3b0c442/.test(key)))],
  ])('says which object was changed: a %s', async (_, chosen) => {
    const { world } = stage;
    const key = chosen(world);
    const bytes = Buffer.from(defined(await world.aws.s3.read(BUCKET, key)));
    const at = bytes.length >> 1;
    bytes[at] = defined(bytes[at]) ^ 1;
    await world.aws.s3.write(BUCKET, key, bytes);
    const run = await verify(CODE, DAY, '--json');
    const { verdict, findings } = saidSchema.parse(documentOf(run));
    expect([run.code, verdict]).toEqual([1, 'wrong']);
    expect(findings.map(({ object }) => object)).toContain(key);
  });

  it('holds a page that was replaced against the proof that has it first', async () => {
    const { world } = stage;
    const text = await world.text(PAGE);
    await world.aws.s3.write(BUCKET, `changes/noted_on=2026-11-22/0030-days-${DAY}.json`, '{}');
    await world.aws.s3.write(BUCKET, PAGE, text.replace('"balanced":true', '"balanced":false'));
    stage.setTime('2026-11-23T00:30:00Z');
    expect(await prove(world)).toMatchObject({ pages: 1 });
    await says(verify(CODE, DAY), 1, `${PAGE} is not the page that the proof of 2026-11-21 has`);
  });

  it('says what is gone, and still proves what is left', async () => {
    const { world } = stage;
    await world.report({ merchantCode: CODE, day: '2026-11-21', send: false });
    stage.setTime('2026-11-23T00:30:00Z');
    await prove(world);
    for (const key of world.keys('invoices/')) await world.aws.s3.remove(BUCKET, key);
    const noRows = /^invoices\/csv\/.* is gone, or may not be read/m;
    await says(verify(CODE, DAY), 2, noRows, `${PAGE} existed when`);
    await world.aws.s3.remove(BUCKET, PAGE);
    const gone = / is gone: it was forgotten, .* existed when the proof of 2026-11-21 was signed/;
    await says(verify(CODE, DAY), 2, gone);
    // The chain of the others still holds.
    expect((await verify(CODE, '2026-11-21')).stdout).toContain('existed when the proof of 2026-11-23');
  });

  it('ends with 2 for a page that is in no proof yet, or was never sealed', async () => {
    await stage.world.report({ day: '2026-11-21', send: false });
    await says(verify(CODE, '2026-11-21'), 2, 'is in no proof yet. The next proof has it');
    await says(verify(CODE, '2026-10-01'), 2, 'is not sealed');
  });

  it('proves statements and pages of groups', async () => {
    const { world } = stage;
    const group = { name: 'everybody', merchants: 'all', recipients: ['ops@example.com'], daily: true };
    await world.putRegistry({}, {}, { groups: [group] });
    await world.statement({ group: 'everybody', period: DAY, send: false });
    await world.statement({ merchantCode: CODE, period: '2026-W47', send: false });
    stage.setTime('2026-11-23T00:30:00Z');
    await prove(world);
    await says(verify('--group', 'everybody', DAY), 0);
    expect((await says(verify(CODE, '2026-W47'), 0)).stdout).not.toContain('with these');
  });

  it('goes without the rows when nobody may read them', async () => {
    const reads = { operation: 'GetObject', key: /^(invoices|refunds)/, times: Infinity };
    stage.world.awsDoes(knownErrors.s3.accessDenied, reads);
    await says(verify(CODE, DAY), 2, `${PAGE} existed when`);
  });

  it.each([
    [['verify']],
    [['verify', CODE, 'soon']],
    [['verify', '70 0001', DAY]],
    [['verify', CODE, DAY, '--group', 'everybody']],
    [['verify', '--group', 'every body', DAY]],
    [['verify', CODE, DAY, '--revision', '0']],
    [['verify', 'evidence.json', '--save', 'other.json']],
  ])('refuses %j', (words) => refuses(runCommand(words), 2));

  it('refuses a file that is not there, and a key that is none', async () => {
    await refuses(runCommand(['verify', file('none.json')]), 1);
    writeFileSync(file('no-key.pem'), 'no key');
    await refuses(verify(CODE, DAY, '--key', file('no-key.pem')), 1, 'has no public key in PEM');
  });
});
