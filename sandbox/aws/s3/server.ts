import type { IncomingMessage } from 'node:http';
import { ServiceError, type Service, type Answer } from '../service.ts';
import { completeUpload, abortUpload, createUpload, listUploads, uploadPart } from './multipart.ts';
import { s3Errors, s3Refusal, xmlAnswer } from './errors.ts';
import { listObjectVersions, listObjectsV2 } from './listing.ts';
import type { ObjectFiles } from './files/object-files.ts';
import { deleteObject, deleteObjectVersion, getObject, headObject, putObject } from './objects.ts';
import type { S3Operation, S3Request } from './request.ts';
import * as z from 'zod';
import { receiveXml } from './body.ts';

const deleteDocument = z.object({
  Delete: z.object({
    Object: z.array(z.strictObject({ Key: z.string().min(1), VersionId: z.string().optional() })).max(1000),
  }),
});

/** Deletes up to 1,000 keys, or versions of keys. */
async function deleteObjects(files: ObjectFiles, { message, bucket }: S3Request): Promise<Answer> {
  const { Delete } = await receiveXml(message, deleteDocument);
  for (const { Key, VersionId } of Delete.Object) {
    if (VersionId === undefined) files.remove(bucket, Key);
    else files.removeVersion(bucket, Key, VersionId);
  }
  return xmlAnswer('DeleteResult', { Deleted: Delete.Object });
}

const maxKeyBytes = 1024;
const bucketName = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

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
function parseAddress(target: string): S3Address {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const [bucket, key] = splitPath(decode(path.slice(1)));
  return { bucket, key: key === '' ? undefined : key, query };
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

/** Method, target, the query parameter that distinguishes operations with the same path, name, and what serves it. */
type Route = readonly [
  method: string,
  about: 'bucket' | 'object',
  mark: string | undefined,
  operation: string,
  serve: S3Operation,
];

const routes: readonly Route[] = [
  ['PUT', 'object', 'uploadId', 'UploadPart', uploadPart],
  ['PUT', 'object', undefined, 'PutObject', putObject],
  // IAM has an action of its own for it.
  ['GET', 'object', 'versionId', 'GetObjectVersion', getObject],
  ['GET', 'object', undefined, 'GetObject', getObject],
  ['HEAD', 'object', undefined, 'HeadObject', headObject],
  ['DELETE', 'object', 'uploadId', 'AbortMultipartUpload', abortUpload],
  ['DELETE', 'object', 'versionId', 'DeleteObjectVersion', deleteObjectVersion],
  ['DELETE', 'object', undefined, 'DeleteObject', deleteObject],
  ['POST', 'object', 'uploads', 'CreateMultipartUpload', createUpload],
  ['POST', 'object', 'uploadId', 'CompleteMultipartUpload', completeUpload],
  ['POST', 'bucket', 'delete', 'DeleteObjects', deleteObjects],
  ['GET', 'bucket', 'list-type', 'ListObjectsV2', listObjectsV2],
  ['GET', 'bucket', 'versions', 'ListObjectVersions', listObjectVersions],
  ['GET', 'bucket', 'uploads', 'ListMultipartUploads', listUploads],
];

/** Parameters that stand for operations that the sandbox does not have. */
const otherOperations = [
  'acl', 'attributes', 'cors', 'legal-hold', 'lifecycle', 'location', 'policy', 'renameObject', 'restore',
  'retention', 'select', 'tagging', 'torrent', 'uploadId', 'versioning', 'versionId',
] as const; // prettier-ignore

/** S3, path-style. Signatures are not verified; every bucket exists. */
export function s3Service(files: ObjectFiles): Service {
  return {
    name: 's3',
    identify: (message) => {
      const { bucket, key, query } = parseAddress(message.url ?? '/');
      const [, , , operation, serve] = findRoute(message, key === undefined ? 'bucket' : 'object', query);
      const request = { message, headers: message.headers, bucket, key: key ?? '', query };
      return {
        operation,
        key: key ?? query.get('prefix') ?? undefined,
        perform: () => serve(files, request),
      };
    },
    refuse: (error, requestId, request) => s3Refusal(error, requestId, request.url?.split('?')[0] ?? '/'),
  };
}

function findRoute(message: IncomingMessage, about: Route[1], query: URLSearchParams): Route {
  const route = routes.find(
    ([method, its, mark]) =>
      method === message.method && its === about && (mark === undefined || query.has(mark)),
  );
  const other = otherOperations.find((name) => query.has(name) && name !== route?.[2]);
  if (other !== undefined || route === undefined) {
    throw s3Errors.notImplemented(
      `${message.method ?? ''} of ${about}${other === undefined ? '' : `?${other}`}`,
    );
  }
  if (message.headers['x-amz-copy-source'] !== undefined) throw s3Errors.notImplemented('copies');
  return route;
}
