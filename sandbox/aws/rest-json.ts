import type { IncomingMessage } from 'node:http';
import { jsonAnswer } from './json-answer.ts';
import { requestText } from './request-body.ts';
import { ServiceError } from './service.ts';
import type { Answer, Service, ServiceName } from './service.ts';

/** A request of the REST JSON protocol: the operation is in the method and the path. */
export interface RestRequest {
  /** The decoded texts of the path's groups. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An operation and the requests that it serves. */
export interface RestOperation {
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Tested against the whole path. Each group is a decoded text of {@link RestRequest.path}. */
  path: RegExp;
  perform: (request: RestRequest) => Answer | Promise<Answer>;
}

/** A service with the REST JSON protocol. What faults can match is the first group of the path. */
export function restJsonService(name: ServiceName, operations: readonly RestOperation[]): Service {
  return {
    name,
    identify: async (request) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://sandbox');
      const body = await requestText(request);
      for (const { operation, method, path, perform } of operations) {
        const match = method === request.method ? path.exec(pathname) : null;
        if (match === null) continue;
        const groups = match.slice(1).map(decodeURIComponent);
        return {
          operation,
          key: groups[0],
          perform: () => perform({ path: groups, query, headers: request.headers, body }),
        };
      }
      throw new ServiceError(
        404,
        'UnknownOperationException',
        `Not in the sandbox: ${request.method} ${pathname}`,
      );
    },
    refuse: (error) =>
      jsonAnswer({ message: error.message }, 'application/json', {
        status: error.status,
        headers: { 'x-amzn-errortype': error.code, ...error.headers },
      }),
  };
}
