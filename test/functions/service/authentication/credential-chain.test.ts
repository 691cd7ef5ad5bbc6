import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CredentialChain, SecretError } from '#service/authentication/credentials.ts';
import type { MerchantCredentials } from '#service/authentication/credentials.ts';
import { RecordedSecret } from '#support/payments/secret-readers.ts';

function credentials(name: string): MerchantCredentials {
  return {
    accessCode: name,
    cipher: { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) },
    username: 'u',
    password: 'p',
  };
}

/** A chain for a secret, and the names of the credentials that it gives until there are no more. */
async function namesOf(secret: RecordedSecret): Promise<string[]> {
  const chain = new CredentialChain(secret);
  const names: string[] = [];
  let next: MerchantCredentials | undefined = await chain.current();
  while (next !== undefined) {
    names.push(next.accessCode);
    next = await chain.after(next);
  }
  return names;
}

describe('CredentialChain', () => {
  it('reads the secret once, however often it is used', async () => {
    const secret = new RecordedSecret(credentials('current'));
    const chain = new CredentialChain(secret);
    const [one, other] = await Promise.all([chain.current(), chain.current()]);
    expect(one).toBe(other);
    expect(await chain.current()).toBe(one);
    expect(new Set(secret.reads)).toEqual(new Set(['cached']));
  });

  it('goes from the cache to the secret, then to its "previous", then to the version before the rotation', async () => {
    const secret = new RecordedSecret(credentials('stored'), credentials('previous'));
    secret.cached = { current: credentials('cached'), previous: undefined };
    secret.beforeLastRotation = { current: credentials('before rotation'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['cached', 'stored', 'previous', 'before rotation']);
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });

  it('tries no credentials twice', async () => {
    const secret = new RecordedSecret(credentials('same'), credentials('same'));
    secret.beforeLastRotation = { current: credentials('same'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['same']);
  });

  it('does not read the version before the rotation while there are other credentials', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    await chain.after(await chain.current());
    expect(secret.reads).toEqual(['cached', 'fresh']);
  });

  it('gives all callers that failed with the same credentials one answer, and reads only once for them', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    const answers = await Promise.all([chain.after(failed), chain.after(failed), chain.after(failed)]);
    await nextTurn();
    answers.push(await chain.after(failed));
    expect(answers.map((answer) => answer?.accessCode)).toEqual(Array(4).fill('previous'));
    expect(secret.reads).toEqual(['cached', 'fresh']);
  });

  it('reads nothing more when all credentials have been tried', async () => {
    const secret = new RecordedSecret(credentials('current'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    expect(await chain.after(failed)).toBeUndefined();
    await nextTurn();
    expect(await chain.after(failed)).toBeUndefined();
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });

  it('keeps the credentials that it found', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    const found = await chain.after(await chain.current());
    expect(await chain.current()).toBe(found);
  });

  it('passes on the error of a secret that cannot be read', async () => {
    const secret = new RecordedSecret(credentials('current'));
    secret.failure = new SecretError('secret s: is not there');
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    await expect(chain.after(failed)).rejects.toThrow(SecretError);
  });
});
