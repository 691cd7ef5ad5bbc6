import type { Answer } from '#sandbox/aws/service.ts';
import { xmlDocument } from '#sandbox/aws/xml.ts';
import type { XmlElements } from '#sandbox/aws/xml.ts';

/** A successful answer of S3 with a document. */
export function xmlAnswer(root: string, content: XmlElements, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body: xmlDocument(root, 'http://s3.amazonaws.com/doc/2006-03-01/', content),
  };
}
