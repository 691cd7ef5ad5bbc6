import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Proof } from './proof.ts';

const ALGORITHM = 'ECDSA_SHA_256';

function base64(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('base64');
}

/** A key in KMS, which never leaves it. Its methods throw the errors of the SDK, which quote nothing. */
export class SigningKey {
  /** All attempts together end well before a run does. */
  readonly #kms = new KMSClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
  readonly #alias: string;

  constructor(alias: string) {
    this.#alias = alias;
  }

  /** What a proof says of the key. */
  async identity(): Promise<Pick<Proof, 'algorithm' | 'keyId' | 'publicKey'>> {
    const { KeyId = '', PublicKey } = await this.#kms.send(new GetPublicKeyCommand({ KeyId: this.#alias }));
    return { algorithm: ALGORITHM, keyId: KeyId, publicKey: base64(PublicKey) };
  }

  /** @param text of at most 4,096 bytes @returns the signature, DER in base64 */
  async sign(text: string, KeyId: string): Promise<string> {
    const message = { Message: Buffer.from(text), MessageType: 'RAW', SigningAlgorithm: ALGORITHM } as const;
    return base64((await this.#kms.send(new SignCommand({ KeyId, ...message }))).Signature);
  }
}
