import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';

/** Made once: making a client takes longer than reading an object. */
const CLIENT = new S3Client({ region: 'us-east-1' });

/** A bucket whose objects hold these texts, by a part of their keys. */
export function bucketOf(texts: Record<string, string>): S3Client {
  const send = ({ input }: { input: { Key: string } }) => {
    const text = Object.entries(texts).find(([part]) => input.Key.includes(part))?.[1];
    const body = Readable.from([Buffer.from(text ?? '')]);
    const Body = Object.assign(body, { transformToString: () => Promise.resolve(text ?? '') });
    return Promise.resolve({ ETag: '"1"', Body });
  };
  return new Proxy(CLIENT, {
    get: (client, name): unknown => (name === 'send' ? send : Reflect.get(client, name)),
  });
}
