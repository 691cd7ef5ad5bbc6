import { s3Errors } from './errors.ts';
import { ServiceError } from '../service.ts';

const maxKeyBytes = 1024;
const bucketName = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The target of a path-style request. */
interface S3Address {
  bucket: string;
  /** `undefined` for a request on the bucket. */
  key: string | undefined;
  query: URLSearchParams;
}

/**
 * Parses a request's target: `/<bucket>/<key>?<query>`. By hand, because a URL parser would resolve `..`.
 * @throws ServiceError InvalidBucketName, InvalidURI, KeyTooLongError
 */
export function parseAddress(target: string): S3Address {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const [bucket, key] = splitPath(decode(path.slice(1)));
  return { bucket, key: key === '' ? undefined : key, query };
}

/**
 * The object in an `x-amz-copy-source`, with or without a leading slash.
 * @throws ServiceError as parseAddress does, and InvalidArgument when there is no key
 */
export function parseCopySource(source: string): { bucket: string; key: string } {
  const [bucket, key] = splitPath(decode(source.replace(/^\//, '')));
  if (key === '') {
    throw s3Errors.invalidArgument('Invalid copy source object key', 'x-amz-copy-source', source);
  }
  return { bucket, key };
}

function splitPath(path: string): [bucket: string, key: string] {
  const slash = path.indexOf('/');
  const bucket = slash < 0 ? path : path.slice(0, slash);
  const key = slash < 0 ? '' : path.slice(slash + 1);
  if (!bucketName.test(bucket)) {
    throw new ServiceError(400, 'InvalidBucketName', 'The specified bucket is not valid.', {
      details: { BucketName: bucket },
    });
  }
  if (Buffer.byteLength(key) > maxKeyBytes) {
    throw new ServiceError(400, 'KeyTooLongError', 'Your key is too long');
  }
  return [bucket, key];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
}
