import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { SecretCache } from '#service/authentication/secrets-manager-reader.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';

const aws = await awsUnderTest();
const CODE = '700001';
let names = 0;

function newName(): string {
  names += 1;
  return `daybook/${aws.mark}/${names}`;
}

function secret(password: string): string {
  const cipher = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) };
  return JSON.stringify({
    merchants: { [CODE]: { accessCode: 'code', cipher, username: 'user', password } },
  });
}

function readerOf(name: string) {
  return new SecretCache(aws.clients.secretsManager, () => Date.now()).reader(name, CODE);
}

describe(`secrets, on ${TARGET}`, () => {
  test('have no earlier version before the first rotation', async () => {
    const name = newName();
    await aws.putSecret(name, secret('first'));
    const reader = readerOf(name);
    expect(await reader.current(false)).toMatchObject({ current: { password: 'first' } });
    expect(await reader.beforeRotation()).toBeUndefined();
  });

  test('show a rotation when the cache is bypassed, and the earlier value under AWSPREVIOUS', async () => {
    const name = newName();
    await aws.putSecret(name, secret('first'));
    const reader = readerOf(name);
    await reader.current(false);
    await aws.putSecret(name, secret('second'));
    aws.secretsManager.taken();
    expect(await reader.current(false)).toMatchObject({ current: { password: 'first' } });
    expect(aws.secretsManager.taken()).toEqual([]);
    expect(await reader.current(true)).toMatchObject({ current: { password: 'second' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'first' } });
    await aws.putSecret(name, secret('third'));
    expect(await reader.current(true)).toMatchObject({ current: { password: 'third' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'second' } });
  });

  test('are read once an hour, and sooner for an entry that may have been mended', async () => {
    const name = newName();
    await aws.putSecret(name, secret('first'));
    let now = Date.now();
    const cache = new SecretCache(aws.clients.secretsManager, () => now);
    const passwordAfter = async (minutes: number, code = CODE) => {
      now += minutes * 60_000;
      return (await cache.reader(name, code).current(false)).current.password;
    };
    expect(await passwordAfter(0)).toBe('first');
    await aws.putSecret(name, secret('second'));
    expect(await passwordAfter(4)).toBe('first');
    await expect(passwordAfter(0, 'another')).rejects.toMatchObject({ name: 'SecretError' });
    expect(await passwordAfter(0)).toBe('first');
    await aws.putSecret(name, secret('third').replace(CODE, 'another'));
    expect(await passwordAfter(2, 'another')).toBe('third');
    await aws.putSecret(name, secret('fourth'));
    await expect(passwordAfter(4)).rejects.toMatchObject({ name: 'SecretError' });
    expect(await passwordAfter(1)).toBe('fourth');
    await aws.putSecret(name, secret('fifth'));
    expect(await passwordAfter(59)).toBe('fourth');
    expect(await passwordAfter(1)).toBe('fifth');
  });

  test('are named in the error when they do not exist', async () => {
    const name = newName();
    await expect(readerOf(name).current(false)).rejects.toMatchObject({
      name: 'SecretError',
      message: `secret ${name}: does not exist`,
    });
    expect(await readerOf(name).beforeRotation()).toBeUndefined();
  });

  test('are requested again when an answer is lost', async () => {
    const name = newName();
    await aws.putSecret(name, secret('first'));
    aws.secretsManager.loseAnswer(() => true);
    expect(await readerOf(name).current(false)).toMatchObject({ current: { password: 'first' } });
  });

  test('are replaced only in the version that was read', async () => {
    const name = newName();
    await aws.putSecret(name, secret('first'));
    const { secretsManager } = aws.clients;
    const { VersionId: first } = await secretsManager.send(new GetSecretValueCommand({ SecretId: name }));
    const put = (password: string) =>
      secretsManager.send(
        new PutSecretValueCommand({
          SecretId: name,
          SecretString: secret(password),
          VersionStages: ['DAYBOOK_EDIT'],
        }),
      );
    const moved = (to: string | undefined) =>
      secretsManager.send(
        new UpdateSecretVersionStageCommand({
          SecretId: name,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: to,
          RemoveFromVersionId: first,
        }),
      );
    const [mine, theirs] = [await put('mine'), await put('theirs')];
    const reader = readerOf(name);
    expect(await reader.current(true)).toMatchObject({ current: { password: 'first' } });
    await moved(theirs.VersionId);
    expect(await reader.current(true)).toMatchObject({ current: { password: 'theirs' } });
    expect(await reader.beforeRotation()).toMatchObject({ current: { password: 'first' } });
    await expect(moved(mine.VersionId)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(await reader.current(true)).toMatchObject({ current: { password: 'theirs' } });
  });
});
