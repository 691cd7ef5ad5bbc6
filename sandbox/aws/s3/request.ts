import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Answer } from '../service.ts';
import type { ObjectFiles } from './files/object-files.ts';

/** A request whose address was parsed. */
export interface S3Request {
  message: IncomingMessage;
  headers: IncomingHttpHeaders;
  bucket: string;
  /** Empty for a request on the bucket. */
  key: string;
  query: URLSearchParams;
}

/** One operation of the API. */
export type S3Operation = (files: ObjectFiles, request: S3Request) => Answer | Promise<Answer>;
