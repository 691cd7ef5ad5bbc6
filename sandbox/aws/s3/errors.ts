import { ServiceError, type Answer } from '../service.ts';
import { xmlDocument, type XmlElements } from '../xml.ts';

export function xmlAnswer(root: string, content: XmlElements, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body: xmlDocument(root, 'http://s3.amazonaws.com/doc/2006-03-01/', content),
  };
}

/** S3's errors that the sandbox raises itself, with the status, code and message of the real service. */
export const s3Errors = {
  noSuchKey: (key: string) =>
    new ServiceError(404, 'NoSuchKey', 'The specified key does not exist.', { details: { Key: key } }),
  noSuchVersion: (key: string) =>
    new ServiceError(404, 'NoSuchVersion', 'The specified version does not exist.', {
      details: { Key: key },
    }),
  preconditionFailed: (condition: string) =>
    new ServiceError(
      412,
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      {
        details: { Condition: condition },
      },
    ),
  noSuchUpload: (uploadId: string) =>
    new ServiceError(
      404,
      'NoSuchUpload',
      'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
      { details: { UploadId: uploadId } },
    ),
  badDigest: (what: string) =>
    new ServiceError(400, 'BadDigest', `The ${what} you specified did not match the calculated checksum.`),
  incompleteBody: () => new ServiceError(400, 'IncompleteBody', 'The request body terminated unexpectedly'),
  malformedXml: () =>
    new ServiceError(
      400,
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    ),
  notImplemented: (what: string) =>
    new ServiceError(501, 'NotImplemented', `The sandbox's S3 has no ${what}.`),
} as const;

/** S3's error body; a 304 has none. */
export function s3Refusal(error: ServiceError, requestId: string, resource: string): Answer {
  const { status, headers } = error;
  if (status === 304) return { status, headers };
  return {
    status,
    headers: { 'content-type': 'application/xml', ...headers },
    body: xmlDocument('Error', '', {
      Code: error.code,
      Message: error.message,
      ...error.details,
      Resource: resource,
      RequestId: requestId,
      HostId: 'sandbox',
    }),
  };
}
