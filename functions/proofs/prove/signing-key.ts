import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Proof } from '../proof.ts';

const ALGORITHM = 'ECDSA_SHA_256';

/** All attempts together end well before a run does. */
export function createKmsClient(): KMSClient {
  return new KMSClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}

/** A key in KMS, which never leaves it. Its methods throw the errors of the SDK, which quote nothing. */
export class SigningKey {
  readonly #client: KMSClient;
  readonly #alias: string;

  constructor(client: KMSClient, alias: string) {
    this.#client = client;
    this.#alias = alias;
  }

  /** What a proof says of the key. */
  async identity(): Promise<Pick<Proof, 'algorithm' | 'keyId' | 'publicKey'>> {
    const { KeyId = '', PublicKey = new Uint8Array() } = await this.#client.send(
      new GetPublicKeyCommand({ KeyId: this.#alias }),
    );
    return { algorithm: ALGORITHM, keyId: KeyId, publicKey: Buffer.from(PublicKey).toString('base64') };
  }

  /** @param text of at most 4,096 bytes @returns the signature, DER in base64 */
  async sign(text: string, keyId: string): Promise<string> {
    const { Signature = new Uint8Array() } = await this.#client.send(
      new SignCommand({
        KeyId: keyId,
        Message: Buffer.from(text),
        MessageType: 'RAW',
        SigningAlgorithm: ALGORITHM,
      }),
    );
    return Buffer.from(Signature).toString('base64');
  }
}
