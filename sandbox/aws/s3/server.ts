import type { IncomingMessage } from 'node:http';
import type { Service } from '../service.ts';
import { parseAddress } from './address.ts';
import { completeUpload } from './uploads/complete-upload.ts';
import { copyObject } from './copy-object.ts';
import { deleteObjects } from './delete-objects.ts';
import { s3Errors, s3Refusal } from './errors.ts';
import { listObjectsV2 } from './listing.ts';
import { abortUpload, createUpload, listParts, listUploads, uploadPart } from './uploads/multipart.ts';
import type { ObjectFiles } from './files/object-files.ts';
import { deleteObject, getObject, headObject, putObject } from './objects.ts';
import type { S3Operation } from './request.ts';

interface Route {
  /** Method, target, and the query parameter or header that distinguishes operations with the same path. */
  method: string;
  about: 'bucket' | 'object';
  mark?: string;
  operation: string;
  serve: S3Operation;
}

const routes: readonly Route[] = [
  { method: 'PUT', about: 'object', mark: 'uploadId', operation: 'UploadPart', serve: uploadPart },
  { method: 'PUT', about: 'object', mark: 'x-amz-copy-source', operation: 'CopyObject', serve: copyObject },
  { method: 'PUT', about: 'object', operation: 'PutObject', serve: putObject },
  { method: 'GET', about: 'object', mark: 'uploadId', operation: 'ListParts', serve: listParts },
  { method: 'GET', about: 'object', operation: 'GetObject', serve: getObject },
  { method: 'HEAD', about: 'object', operation: 'HeadObject', serve: headObject },
  {
    method: 'DELETE',
    about: 'object',
    mark: 'uploadId',
    operation: 'AbortMultipartUpload',
    serve: abortUpload,
  },
  { method: 'DELETE', about: 'object', operation: 'DeleteObject', serve: deleteObject },
  {
    method: 'POST',
    about: 'object',
    mark: 'uploads',
    operation: 'CreateMultipartUpload',
    serve: createUpload,
  },
  {
    method: 'POST',
    about: 'object',
    mark: 'uploadId',
    operation: 'CompleteMultipartUpload',
    serve: completeUpload,
  },
  { method: 'POST', about: 'bucket', mark: 'delete', operation: 'DeleteObjects', serve: deleteObjects },
  { method: 'GET', about: 'bucket', mark: 'list-type', operation: 'ListObjectsV2', serve: listObjectsV2 },
  { method: 'GET', about: 'bucket', mark: 'uploads', operation: 'ListMultipartUploads', serve: listUploads },
];

/** Parameters that stand for operations that the sandbox does not have. */
const otherOperations = [
  'acl', 'attributes', 'cors', 'legal-hold', 'lifecycle', 'location', 'policy', 'renameObject', 'restore',
  'retention', 'select', 'tagging', 'torrent', 'versioning', 'versionId', 'versions',
] as const; // prettier-ignore

/** S3, path-style, over the files of a directory. Signatures are not verified; every bucket exists. */
export function s3Service(files: ObjectFiles): Service {
  return {
    name: 's3',
    identify: (message) => {
      const { bucket, key, query } = parseAddress(message.url ?? '/');
      const route = findRoute(message, key === undefined ? 'bucket' : 'object', query);
      const request = { message, headers: message.headers, bucket, key: key ?? '', query };
      return {
        operation: route.operation,
        key: key ?? query.get('prefix') ?? undefined,
        perform: () => route.serve(files, request),
      };
    },
    refuse: (error, requestId, request) => s3Refusal(error, requestId, request.url?.split('?')[0] ?? '/'),
  };
}

function findRoute(message: IncomingMessage, about: Route['about'], query: URLSearchParams): Route {
  const other = otherOperations.find((name) => query.has(name));
  const route = routes.find(
    ({ method, about: its, mark }) =>
      method === message.method &&
      its === about &&
      (mark === undefined || query.has(mark) || message.headers[mark] !== undefined),
  );
  if (other !== undefined || route === undefined) {
    throw s3Errors.notImplemented(
      `${message.method ?? ''} of ${about}${other === undefined ? '' : `?${other}`}`,
    );
  }
  if (route.operation === 'UploadPart' && message.headers['x-amz-copy-source'] !== undefined) {
    throw s3Errors.notImplemented('UploadPartCopy');
  }
  return route;
}
