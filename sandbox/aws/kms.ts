import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { jsonTargetService, validated } from './json-target.ts';
import { ServiceError, type Service } from './service.ts';

interface SigningKey {
  arn: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Keys that sign, by alias and ARN. In memory only, as no key leaves KMS. */
export class KeyStore extends Map<string, SigningKey> {
  /** Makes a key of the kind ECC_NIST_P256, also in the place of another one. @param alias such as `alias/proofs` */
  put(alias: string): void {
    // The same in each sandbox: tests find requests by it.
    const id = String(this.size).padStart(12, '0');
    const arn = `arn:aws:kms:us-east-1:000000000000:key/00000000-0000-4000-8000-${id}`;
    const key = { arn, ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) };
    this.set(alias, key).set(arn, key);
  }
}

const named = z.object({ KeyId: z.string().min(1) });
const signRequest = named.extend({
  // 4,096 bytes.
  Message: z.base64().max(5_464),
  MessageType: z.literal('RAW').default('RAW'),
  SigningAlgorithm: z.literal('ECDSA_SHA_256'),
});

/** KMS: GetPublicKey and Sign, of keys that sign. */
export function kmsService(keys: KeyStore): Service {
  const found = (id: string): SigningKey => {
    const key = keys.get(id);
    if (key === undefined) throw new ServiceError(400, 'NotFoundException', `Key '${id}' does not exist`);
    return key;
  };
  return jsonTargetService({
    name: 'kms',
    version: '1.1',
    target: 'TrentService',
    keyOf: (input) => named.safeParse(input).data?.KeyId,
    operations: {
      GetPublicKey: (input) => {
        const { arn, publicKey } = found(validated(named, input).KeyId);
        return {
          KeyId: arn,
          PublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        };
      },
      Sign: (input) => {
        const { KeyId, Message } = validated(signRequest, input);
        const { arn, privateKey } = found(KeyId);
        const signature = sign('sha256', Buffer.from(Message, 'base64'), privateKey);
        return { KeyId: arn, Signature: signature.toString('base64') };
      },
    },
  });
}
