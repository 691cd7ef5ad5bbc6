import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { jsonTargetService, validated } from './json-target.ts';
import { ServiceError } from './service.ts';
import type { Service } from './service.ts';

interface SigningKey {
  arn: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Keys that sign, by their aliases. In memory only, as no key leaves KMS. */
export class KeyStore {
  readonly #keys = new Map<string, SigningKey>();
  #made = 0;
  /** How often a signature was made. */
  signatures = 0;

  /** Makes a key of the kind ECC_NIST_P256, also in the place of another one. @param alias such as `alias/proofs` */
  put(alias: string): void {
    this.#made += 1;
    const id = this.#made.toString().padStart(12, '0');
    const arn = `arn:aws:kms:us-east-1:000000000000:key/00000000-0000-4000-8000-${id}`;
    const key = { arn, ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) };
    this.#keys.set(alias, key);
  }

  /** By alias or ARN. */
  find(id: string): SigningKey | undefined {
    return this.#keys.get(id) ?? [...this.#keys.values()].find(({ arn }) => arn === id);
  }
}

const named = z.object({ KeyId: z.string().min(1) });
const signRequest = named.extend({
  Message: z.base64(),
  MessageType: z.literal('RAW').default('RAW'),
  SigningAlgorithm: z.literal('ECDSA_SHA_256'),
});
const MOST_BYTES = 4_096;

/** KMS: GetPublicKey and Sign, of keys that sign. */
export function kmsService(keys: KeyStore): Service {
  const found = (id: string): SigningKey => {
    const key = keys.find(id);
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
          KeySpec: 'ECC_NIST_P256',
          KeyUsage: 'SIGN_VERIFY',
          SigningAlgorithms: ['ECDSA_SHA_256'],
        };
      },
      Sign: (input) => {
        const { KeyId, Message, SigningAlgorithm } = validated(signRequest, input);
        const { arn, privateKey } = found(KeyId);
        const message = Buffer.from(Message, 'base64');
        if (message.length > MOST_BYTES)
          throw new ServiceError(400, 'ValidationException', `Message has more than ${MOST_BYTES} bytes`);
        keys.signatures += 1;
        return {
          KeyId: arn,
          Signature: sign('sha256', message, privateKey).toString('base64'),
          SigningAlgorithm,
        };
      },
    },
  });
}
