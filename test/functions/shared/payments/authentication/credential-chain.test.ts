import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CredentialChain, SecretError } from '#payments/authentication/credentials.ts';
import type { MerchantCredentials } from '#payments/authentication/credentials.ts';
import { RecordedSecret } from '#support/payments/secret-readers.ts';

function credentials(name: string): MerchantCredentials {
  return {
    accessCode: name,
    cipher: { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) },
    username: 'u',
    password: 'p',
  };
}

/** A chain over a secret, and the names of what it gives until there is no more. */
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
  it('reads the secret once, however often it is asked', async () => {
    const secret = new RecordedSecret(credentials('current'));
    const chain = new CredentialChain(secret);
    const [one, other] = await Promise.all([chain.current(), chain.current()]);
    expect(one).toBe(other);
    expect(await chain.current()).toBe(one);
    expect(new Set(secret.reads)).toEqual(new Set(['cached']));
  });

  it('goes from the cache to the secret, its previous, and the version before the rotation', async () => {
    const secret = new RecordedSecret(credentials('stored'), credentials('previous'));
    secret.cached = { current: credentials('cached'), previous: undefined };
    secret.beforeLastRotation = { current: credentials('before rotation'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['cached', 'stored', 'previous', 'before rotation']);
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });

  it('tries nothing twice', async () => {
    const secret = new RecordedSecret(credentials('same'), credentials('same'));
    secret.beforeLastRotation = { current: credentials('same'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['same']);
  });

  it('does not look at the version before the rotation while there is something else', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    await chain.after(await chain.current());
    expect(secret.reads).toEqual(['cached', 'fresh']);
  });

  it('gives one answer to all callers that failed with the same credentials, and reads once for them', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    const answers = await Promise.all([chain.after(failed), chain.after(failed), chain.after(failed)]);
    await nextTurn();
    answers.push(await chain.after(failed));
    expect(answers.map((answer) => answer?.accessCode)).toEqual(Array(4).fill('previous'));
    expect(secret.reads).toEqual(['cached', 'fresh']);
  });

  it('reads no more when all has been tried, whoever asks later', async () => {
    const secret = new RecordedSecret(credentials('current'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    expect(await chain.after(failed)).toBeUndefined();
    await nextTurn();
    expect(await chain.after(failed)).toBeUndefined();
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });

  it('stays with what it found', async () => {
    const secret = new RecordedSecret(credentials('current'), credentials('previous'));
    const chain = new CredentialChain(secret);
    const found = await chain.after(await chain.current());
    expect(await chain.current()).toBe(found);
  });

  it('passes on why the secret cannot be read', async () => {
    const secret = new RecordedSecret(credentials('current'));
    secret.failure = new SecretError('secret s: is not there');
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    await expect(chain.after(failed)).rejects.toThrow(SecretError);
  });
});
