import { generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto';
import * as z from 'zod';
import { jsonTargetService, validated } from './json-target.ts';
import { ServiceError, type Service } from './service.ts';

/** Keys of the kind ECC_NIST_P256, by alias and ARN. In memory only, as no key leaves KMS. */
export class KeyStore extends Map<string, KeyPairKeyObjectResult & { arn: string }> {
  /** Makes a key, also in the place of another one. Its ARN is the same in each sandbox: tests find requests by it. */
  put(alias: string): void {
    const id = this.size.toString().padStart(12, '0');
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
  const found = ({ KeyId }: z.infer<typeof named>) => {
    const key = keys.get(KeyId);
    if (key === undefined) throw new ServiceError(400, 'NotFoundException', `Key '${KeyId}' does not exist`);
    return key;
  };
  return jsonTargetService({
    name: 'kms',
    version: '1.1',
    target: 'TrentService',
    keyOf: (input) => named.safeParse(input).data?.KeyId,
    operations: {
      GetPublicKey: (input) => {
        const { arn: KeyId, publicKey } = found(validated(named, input));
        return { KeyId, PublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
      },
      Sign: (input) => {
        const request = validated(signRequest, input);
        const { arn: KeyId, privateKey } = found(request);
        const signature = sign('sha256', Buffer.from(request.Message, 'base64'), privateKey);
        return { KeyId, Signature: signature.toString('base64') };
      },
    },
  });
}
