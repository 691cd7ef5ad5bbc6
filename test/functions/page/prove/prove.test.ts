import { createHash, createPublicKey, verify } from 'node:crypto';
import { readProof, type Proof } from '#page/prove/proof.ts';
import { proofKey, provenPagesKey } from '#records/storage/keys.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/index.ts';
import { expectProven, lineOf, prove } from '#support/proofs/running-prove.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const [FIRST, SECOND, THIRD] = ['2026-11-21', '2026-11-22', '2026-11-23'] as const;
const world = useWorld();

const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

async function proofOf(date: string): Promise<Proof> {
  return defined(readProof(await world.text(proofKey(date))), `the proof of ${date}`);
}

async function provenOn(date: string): Promise<string[]> {
  const { root } = await proofOf(date);
  return (await world.text(provenPagesKey(root))).split('\n').slice(0, -1);
}

/** The proof of the night that ends on that date. */
function proveOn(date: string, most?: number) {
  world.clock.setTo(`${date}T00:30:00Z`);
  return prove(world, {}, most);
}

async function seal(day = DAY, invoices = 3): Promise<void> {
  world.payments.data.seedDay(CODE, day, { invoices, refunds: 1 });
  await world.report({ day, send: false });
}

describe('prove', () => {
  it('signs for every page since the last proof: days, statements and pages of groups, each once', async () => {
    const group = { name: 'everybody', merchants: 'all', recipients: ['ops@example.com'], daily: true };
    await world.putRegistry({}, {}, { groups: [group] });
    await seal();
    await world.statement({ group: 'everybody', period: DAY, send: false });
    const answer = await prove(world);
    expect(answer).toMatchObject({ date: FIRST, pages: 2, unchanged: false, proofKey: proofKey(FIRST) });
    expect((await provenOn(FIRST)).map((line) => line.slice(64))).toEqual([
      `  days/day=${DAY}/merchant=${CODE}/r0001.json`,
      `  statements/period=${DAY}/group=everybody/r0001.json`,
    ]);

    world.clock.setTo('2026-11-22T00:20:00Z');
    await seal('2026-11-21');
    world.payments.data.insertInvoice(CODE, DAY, {});
    await world.report({ send: false });
    expect(await proveOn(SECOND)).toMatchObject({ date: SECOND, pages: 2 });
    await expectProven(world, 2);
  });

  it('makes a proof that anybody can check with tools of their own', async () => {
    await seal();
    await prove(world);
    await proveOn(SECOND);
    const [first, second] = [await world.text(proofKey(FIRST)), await world.text(proofKey(SECOND))];
    const { previous, publicKey, signature, pages, root } = await proofOf(SECOND);
    // `sha256sum` of the object before it.
    expect(previous).toEqual({ date: FIRST, sha256: hash(first) });
    // What is signed: the line without its last member.
    const signed = `${second.slice(0, second.indexOf(',"signature"'))}}`;
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const isSigned = (text: string) =>
      verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
    expect([isSigned(signed), isSigned(signed.replace('22', '23'))]).toEqual([true, false]);
    // A night without a page, so that a hole can be told from a quiet night.
    expect({ pages, root }).toEqual({ pages: 0, root: hash('') });
    expect(world.aws.requests.filter(({ operation }) => operation === 'Sign')).toHaveLength(2);
  });

  it('does nothing on a date that has its proof, and signs once when two run at once', async () => {
    await seal();
    const [one, other] = await Promise.all([prove(world), prove(world)]);
    expect([one.unchanged, other.unchanged].toSorted()).toEqual([false, true]);
    expect(one.root).toBe(other.root);
    await seal('2026-11-19');
    expect(await prove(world)).toEqual({ ...one, unchanged: true });
    await proveOn(SECOND);
    await expectProven(world, 2);
  });

  it('leaves out no page that is sealed, or only appears, while it runs', async () => {
    await seal();
    world.beforePut(/^proofs\/2026-11-21/, () => seal('2026-11-19'));
    expect(await prove(world)).toMatchObject({ pages: 1 });
    // An upload that began before that run, and that no listing showed then.
    const late = `days/day=2026-11-18/merchant=${CODE}/r0001.json`;
    world.clock.setTo('2026-11-21T03:40:00Z');
    await seal('2026-11-18');
    expect(world.keys('days/day=2026-11-18/')).toEqual([late]);
    expect(await proveOn(SECOND)).toMatchObject({ pages: 2 });
    await expectProven(world, 2);
  });

  it('makes up for nights that were missed, also after the markers of their days are gone', async () => {
    await prove(world);
    await seal();
    for (const key of world.keys('changes/')) await world.aws.s3.remove(BUCKET, key);
    expect(await proveOn('2027-03-01')).toMatchObject({ date: '2027-03-01', pages: 1 });
    expect((await proofOf('2027-03-01')).previous).toMatchObject({ date: FIRST });
    await expectProven(world, 2);
  });

  it('takes the oldest first when there are too many, and the others in the nights after', async () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', DAY];
    for (const [index, day] of days.entries()) {
      world.clock.setTo(`2026-11-21T0${4 + (index >> 1)}:00:00Z`);
      await seal(day);
    }
    for (const [night, pages] of [2, 2, 1].entries())
      expect(await proveOn(`2026-11-2${2 + night}`, 2)).toMatchObject({ pages });
    const proven = (await provenOn(SECOND)).map((line) => /day=([^/]*)/.exec(line)?.[1]);
    expect(proven.toSorted()).toEqual(days.slice(0, 2));
    await expectProven(world, 3);
  });

  it('has a page that was replaced twice: as it was, and as it is', async () => {
    await seal();
    await prove(world);
    const key = `days/day=${DAY}/merchant=${CODE}/r0001.json`;
    const before = await lineOf(world, key);
    world.clock.setTo('2026-11-21T12:00:00Z');
    await world.aws.s3.write(BUCKET, `changes/noted_on=2026-11-21/1200-days-${DAY}.json`, '{}');
    const other = (await world.text(key)).replace('"balanced":true', '"balanced":false');
    await world.aws.s3.write(BUCKET, key, other);
    await proveOn(SECOND);
    expect(await provenOn(FIRST)).toEqual([before]);
    expect(await provenOn(SECOND)).toEqual([await lineOf(world, key)]);
  });

  it('begins no proof shortly after midnight, when a run of the date before may be under way', async () => {
    world.clock.setTo('2026-11-22T00:14:59Z');
    await expect(prove(world)).rejects.toMatchObject({ name: 'ProofError' });
    expect(world.keys('proofs/')).toEqual([]);
    world.clock.setTo('2026-11-22T00:15:00Z');
    expect(await prove(world)).toMatchObject({ date: SECOND });
  });

  it('stores nothing that the key did not sign, and makes it up the next night', async () => {
    await seal();
    world.awsDoes(knownErrors.kms.disabled, { service: 'kms', operation: 'Sign', times: Infinity });
    await expect(prove(world)).rejects.toMatchObject({ name: 'DisabledException' });
    expect(world.keys('proofs/2')).toEqual([]);
    world.aws.faults.clear();
    expect(await proveOn(THIRD)).toMatchObject({ date: THIRD, pages: 1 });
  });

  it('refuses a damaged last proof rather than to begin a new chain', async () => {
    await prove(world);
    const text = await world.text(proofKey(FIRST));
    await world.aws.s3.write(BUCKET, proofKey(FIRST), text.replace('"pages":0', '"pages":1 '));
    await expect(proveOn(SECOND)).rejects.toMatchObject({ name: 'StoredObjectError' });
  });
});
