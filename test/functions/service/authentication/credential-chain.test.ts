import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CredentialChain, type MerchantCredentials } from '#service/authentication/credentials.ts';
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

  it('reads nothing more when all credentials have been tried', async () => {
    const secret = new RecordedSecret(credentials('current'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    expect(await chain.after(failed)).toBeUndefined();
    await nextTurn();
    expect(await chain.after(failed)).toBeUndefined();
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });
});
