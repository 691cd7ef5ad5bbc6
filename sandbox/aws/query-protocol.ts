import type { IncomingMessage } from 'node:http';
import { requestText, type Answer, type ServiceError } from './service.ts';
import { xmlDocument, type XmlElements } from './xml.ts';

/** A request of the AWS query protocol: a form with an `Action` and flat, dotted parameter names. */
interface QueryRequest {
  /** Empty if the form has none. */
  action: string;
  parameters: URLSearchParams;
}

export async function readQueryRequest(request: IncomingMessage): Promise<QueryRequest> {
  const parameters = new URLSearchParams(await requestText(request));
  return { action: parameters.get('Action') ?? '', parameters };
}

/** The values of a list parameter: `<name>.member.1`, `<name>.member.2`, … up to the first gap. */
export function listParameter(parameters: URLSearchParams, name: string): string[] {
  const values: string[] = [];
  for (;;) {
    const value = parameters.get(`${name}.member.${values.length + 1}`);
    if (value === null) return values;
    values.push(value);
  }
}

/** The protocol's answer: `<XResponse><XResult>…</XResult><ResponseMetadata>…`. */
export function queryAnswer(
  namespace: string,
  action: string,
  result: XmlElements,
  requestId: string,
): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: xmlDocument(`${action}Response`, namespace, {
      [`${action}Result`]: result,
      ResponseMetadata: { RequestId: requestId },
    }),
  };
}

/** The protocol's error answer: `<ErrorResponse><Error>…</Error><RequestId>…`. */
export function queryRefusal(namespace: string, error: ServiceError, requestId: string): Answer {
  const Type = error.status < 500 ? 'Sender' : 'Receiver';
  return {
    status: error.status,
    headers: { 'content-type': 'text/xml', ...error.headers },
    body: xmlDocument('ErrorResponse', namespace, {
      Error: { Type, Code: error.code, Message: error.message },
      RequestId: requestId,
    }),
  };
}
