import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ListObjectVersionsCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { createS3Client } from '#runtime/s3-client.ts';
import { textWith } from '#support/assertions/index.ts';
import { useDesk } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { prove } from '#support/proofs/running-prove.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const OTHER = '700002';
const NAME = 'Canary Trading';
const LATER = '2026-11-23T09:00:00Z';

const desk = useDesk();

/** Seals two merchants, of which one is then removed, and an hour passes. */
async function removeOne(): Promise<void> {
  const { world } = desk.stage;
  const alerts = [{ name: 'unpaid', measure: 'unpaidCount', above: 0 }];
  const groups = [{ name: 'everybody', merchants: 'all', recipients: ['ops@example.com'], daily: true }];
  await world.putRegistry({ [CODE]: { name: NAME, alerts } }, {}, { groups });
  for (const merchantCode of [CODE, OTHER]) {
    world.payments.data.seedDay(merchantCode, DAY, { invoices: 3, refunds: 1 });
    await world.report({ merchantCode });
    await world.statement({ merchantCode, period: '2026-W47' });
  }
  world.payments.data.insertInvoice(CODE, DAY);
  await world.report();
  await world.alertCheck({ day: DAY });
  await world.statement({ group: 'everybody', period: DAY });
  await desk.write(`config/refunds/${CODE}.csv`, 'id\n1\n');
  await desk.write(`mail-stops/merchant=${CODE}/reports/${'0'.repeat(64)}.json`, '{"reason":"its reader"}');
  for (const page of [`days/day=${DAY}/merchant=${CODE}`, `statements/period=2026-W47/merchant=${CODE}`])
    await desk.write(`links/${page}/r0001.csv`, NAME);
  await desk.write(`links/statements/period=${DAY}/group=everybody/r0001.xlsx`, NAME);
  await says(desk.run(['merchant', 'remove', CODE, '--with-secret', '--yes']), 0);
  desk.stage.setTime(LATER);
}

/** The keys of all versions of which the key or the content has the text. */
async function versionsWith(text: string): Promise<string[]> {
  const s3 = createS3Client();
  const { Versions: versions = [], DeleteMarkers: marks = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: BUCKET }),
  );
  const found = marks.flatMap(({ Key: key = '' }) => (key.includes(text) ? [key] : []));
  for (const { Key: key = '', VersionId } of versions) {
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key, VersionId }));
    const bytes = Buffer.from((await body?.transformToByteArray()) ?? []);
    const content = (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    if (key.includes(text) || content.includes(text)) found.push(key);
  }
  s3.destroy();
  return [...new Set(found)].toSorted();
}

const FORGET = ['merchant', 'forget', CODE];
const FORGET_NOW = [...FORGET, '--yes', '--code', CODE];
const recordSchema = z.looseObject({ record: z.string() });

describe('merchant forget', () => {
  it('deletes every version of what is the merchant’s, and leaves what the page names', async () => {
    await removeOne();
    const before = await versionsWith(OTHER);
    expect((await versionsWith(CODE)).length).toBeGreaterThan(15);
    await says(desk.run([...FORGET, '--dry-run']), 0, 'pages of groups, as a whole');
    const { record } = recordSchema.parse(documentOf(await says(desk.run([...FORGET_NOW, '--json']), 0)));
    expect(JSON.parse(await desk.read(record))).toMatchObject({ what: 'merchant', merchantCode: CODE });
    // Only the registry's old versions still have the name. The code is also in its record.
    expect(await versionsWith(NAME)).toEqual(['config/merchants.json']);
    expect(await versionsWith(CODE)).toEqual(['config/merchants.json', record]);
    const page = `statements/period=${DAY}/group=everybody/r0001.json`;
    expect(await versionsWith(OTHER)).toEqual(before.filter((key) => key !== page));
  });

  it('leaves the proofs as they are: they say what is gone, and still prove the pages of others', async () => {
    await removeOne();
    await prove(desk.stage.world);
    const verify = (code: string) => desk.run(['verify', code, DAY]);
    await says(verify(CODE), 0);
    await says(desk.run(FORGET_NOW), 0);
    const gone = 'is gone: it was forgotten, or its time was over. It existed when the proof of 2026-11-23';
    await says(verify(CODE), 2, gone);
    await says(verify(OTHER), 0, 'existed when');
    desk.stage.setTime('2026-11-24T00:30:00Z');
    // The group's page went with the merchant: its proof stays, and the next follows it.
    await prove(desk.stage.world);
    await says(verify(OTHER), 0, '2 proofs');
  });

  it('goes on where a run has died', async () => {
    await removeOne();
    const action = { kind: 'error', status: 403, code: 'AccessDenied' } as const;
    desk.aws.faults.add({ service: 's3', operation: 'DeleteObjects', action, times: 1 });
    expect(await desk.run(FORGET_NOW)).toMatchObject({ code: 1, stderr: textWith('AccessDenied') });
    await says(desk.run(FORGET_NOW), 0);
    await says(desk.run([...FORGET, '--dry-run']), 0, `Nothing of ${CODE} is left.`);
  });

  it('says how to go on after Ctrl-C', async () => {
    await removeOne();
    let pid = 0;
    const before = async () => {
      process.kill(pid, 'SIGINT');
      await setTimeout(300);
    };
    desk.aws.faults.add({ operation: 'DeleteObjects', action: { kind: 'call', before } });
    const ended = await desk.runProcess(FORGET_NOW, { onStart: (started) => (pid = started) });
    expect(ended).toMatchObject({ code: 130, stderr: textWith('Run the same command again: it goes on.') });
    await says(desk.run(FORGET_NOW), 0);
  });

  it('changes nothing without --yes and the code', async () => {
    await removeOne();
    const before = await versionsWith(CODE);
    for (const [options, words] of [
      [['--yes'], `give --yes --code ${CODE}`],
      [['--yes', '--code', OTHER], `--code must be ${CODE}`],
      [['--code', CODE], 'give --yes'],
    ] as const) {
      expect(await desk.run([...FORGET, ...options])).toMatchObject({ code: 2, stderr: textWith(words) });
    }
    expect(await versionsWith(CODE)).toEqual(before);
  });

  it('refuses a merchant of the registry, and one that was removed a moment ago', async () => {
    await refuses(desk.run(FORGET), 1, `merchant remove ${CODE} --with-secret`);
    await desk.run(['merchant', 'remove', CODE, '--yes']);
    await says(desk.run([...FORGET, '--dry-run']), 0);
    await refuses(desk.run(FORGET_NOW), 1, '2026-11-23 07:15 UTC');
  });
});

const EMAIL = 'lost@example.com';
const BY_EMAIL = ['customer', 'forget', '--email', EMAIL];
const searchSchema = z.looseObject({ search: z.object({ from: z.string(), to: z.string() }).optional() });

/** Seals a day with a customer, and presents a function `lake` that finds the files which have them. */
async function sealCustomer() {
  const { world } = desk.stage;
  const customer = { name: 'Lost', email: EMAIL, phone_number: '96550001234' };
  const id = world.payments.data.insertInvoice(CODE, DAY, { customer });
  world.payments.data.insertInvoice(CODE, DAY);
  await world.report();
  desk.aws.stacks.set('Daybook-local-Lake', { outputs: { LakeFirstDay: '2026-11-01' } });
  const invoke = async (event: unknown) => {
    const { search } = searchSchema.parse(event);
    const ofPeriod = (key: string) => {
      const day = /day=([^/]+)/.exec(key)?.[1] ?? '';
      return search !== undefined && search.from <= day && day <= search.to;
    };
    const files: [string, number][] = [];
    for (const key of world.keys('invoices/csv/').filter(ofPeriod)) {
      const rows = (await world.text(key)).split('\n').filter((line) => line.includes(EMAIL)).length;
      if (rows > 0) files.push([key, rows]);
    }
    return { finished: true, files: Object.fromEntries(files) };
  };
  desk.aws.lambda.add('daybook-local-lake', { invoke });
  const { code } = z
    .looseObject({ code: z.string() })
    .parse(documentOf(await desk.run([...BY_EMAIL, '--dry-run', '--json'])));
  /** From now on the service has somebody else there. */
  const nobody = { name: 'Nobody', email: null, phone_number: null };
  const forgetAtTheService = () => world.payments.data.updateInvoice(CODE, id, { customer: nobody });
  return { code, forgetAtTheService };
}

describe('customer forget', () => {
  it('lists the files, takes no other code, and deletes every version of them', async () => {
    const { code, forgetAtTheService } = await sealCustomer();
    const files = await versionsWith(EMAIL);
    expect(files).toHaveLength(2);
    const row = new RegExp(`^${DAY} +${CODE} +1 +1 +pulled again, then deleted$`, 'm');
    await says(desk.run([...BY_EMAIL, '--dry-run']), 0, row);
    forgetAtTheService();
    const refused = await desk.run([...BY_EMAIL, '--yes', '--code', CODE]);
    expect(refused).toMatchObject({ code: 2, stderr: textWith(`--code must be ${code}`) });
    expect(await versionsWith(EMAIL)).toEqual(files);
    const done = await desk.runOnTerminal(BY_EMAIL, [
      [`Type ${code} to go on`, `${CODE}\r`],
      [`type ${code}, or press Ctrl-C`, `${'\u007F'.repeat(CODE.length)}${code}\r`],
    ]);
    expect(done).toMatchObject({ code: 0, written: textWith('the customer is forgotten') });
    expect(await versionsWith(EMAIL)).toEqual([]);
    const [record = ''] = desk.stage.world.keys('forgotten/');
    expect(JSON.parse(await desk.read(record))).toMatchObject({ what: 'customer', days: 1 });
    expect(await desk.read(record)).not.toContain(EMAIL);
  });

  it('deletes nothing while the service still sends the customer', async () => {
    const { code } = await sealCustomer();
    const files = await versionsWith(EMAIL);
    const { stderr } = await says(desk.run([...BY_EMAIL, '--yes', '--code', code]), 1);
    expect(stderr).toContain(`still sends the customer (${CODE} ${DAY})`);
    expect(await versionsWith(EMAIL)).toEqual(files);
  });

  it.each([
    [[], 'name the customer'],
    [['--phone', '12'], 'six digits'],
    [['--email', 'a'], 'four letters'],
  ])('says what is missing of %j', async (options, words) => {
    await refuses(desk.run(['customer', 'forget', ...options]), 2, words);
  });

  it('lists the files that mails link of the days, weeks and months that have them', async () => {
    const { world } = desk.stage;
    world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 0 });
    await world.report();
    const found = (await world.manifest(1)).files.find(({ key }) => key.startsWith('invoices/csv/'));
    desk.aws.stacks.set('Daybook-local-Lake', { outputs: { LakeFirstDay: '2026-11-01' } });
    const files = { [found?.key ?? '']: 1 };
    const invoke = () => Promise.resolve({ finished: true, files });
    desk.aws.lambda.add('daybook-local-lake', { invoke });
    const having = [`days/day=${DAY}`, 'statements/period=2026-11', 'statements/period=2026-W47'];
    const others = ['days/day=2026-11-02', 'statements/period=2026-09', 'statements/period=2026-W44'];
    for (const page of [...having, ...others]) {
      for (const owner of [CODE, OTHER]) await desk.write(`links/${page}/merchant=${owner}/r0001.csv`, NAME);
    }
    const dry = await desk.run(['customer', 'forget', '--email', 'a@example.com', '--dry-run', '--json']);
    const { keys } = z.looseObject({ keys: z.array(z.string()) }).parse(documentOf(dry));
    const linked = keys.filter((key) => key.startsWith('links/')).toSorted();
    expect(linked).toEqual(having.map((page) => `links/${page}/merchant=${CODE}/r0001.csv`));
  });

  it('says when there is no lake', async () => {
    await refuses(desk.run(['customer', 'forget', '--email', 'a@example.com']), 1, 'has no lake');
  });
});
