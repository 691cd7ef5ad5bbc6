import * as z from 'zod';
import {
  jsonAnswer,
  requestText,
  ServiceError,
  type Service,
  type ServiceName,
  type Answer,
} from './service.ts';
import type { IncomingMessage } from 'node:http';

/** A service with the AWS JSON protocol: the operation is in the header `X-Amz-Target`, the request in the body. */
interface JsonTarget {
  name: ServiceName;
  version: '1.0' | '1.1';
  /** The text before the dot in `X-Amz-Target`. */
  target: string;
  /** What faults can match in a request. */
  keyOf?: (input: unknown) => string | undefined;
  operations: Record<string, (input: unknown, request: IncomingMessage) => object | Promise<object>>;
}

/** Serves the operations. Any other is refused with `UnknownOperationException`. */
export function jsonTargetService({ name, version, target, keyOf, operations }: JsonTarget): Service {
  const contentType = `application/x-amz-json-${version}`;
  return {
    name,
    identify: async (request) => {
      const [service, operation = 'Unknown'] = String(request.headers['x-amz-target']).split('.');
      const input = jsonOf(await requestText(request));
      return {
        operation: service === target ? operation : 'Unknown',
        key: keyOf?.(input),
        perform: async () => {
          const serve = service === target ? operations[operation] : undefined;
          if (serve === undefined)
            throw new ServiceError(400, 'UnknownOperationException', `Not in the sandbox: ${operation}`);
          return jsonAnswer(await serve(input, request), contentType);
        },
      };
    },
    refuse: (error) =>
      jsonAnswer({ __type: error.code, message: error.message }, contentType, {
        status: error.status,
        headers: error.headers,
      }),
  };
}

/** The request as the operation needs it. @throws {ServiceError} `ValidationException` for a missing or wrong member */
export function validated<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ServiceError(400, 'ValidationException', z.prettifyError(result.error));
}

/** @throws {ServiceError} `SerializationException` for a text that is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(400, 'SerializationException', 'The body is not JSON.');
  }
}

/** A request of the REST JSON protocol: the operation is in the method and the path. */
export interface RestRequest {
  /** The decoded texts of the path's groups. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The path in AWS's words, with `{}` for each text that {@link RestRequest.path} has. */
type RestOperation = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  perform: (request: RestRequest) => Answer | Promise<Answer>,
];

/** A service with the REST JSON protocol, by its operations. What faults can match is the first text of the path. */
export function restJsonService(name: ServiceName, operations: Record<string, RestOperation>): Service {
  const routes = Object.entries(operations).map(([operation, [method, path, perform]]) => {
    return { operation, method, perform, pattern: new RegExp(`^${path.replaceAll('{}', '([^/]+)')}/?$`) };
  });
  return {
    name,
    identify: async (request) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://sandbox');
      const body = await requestText(request);
      for (const { operation, method, perform, pattern } of routes) {
        const match = method === request.method ? pattern.exec(pathname) : null;
        if (match === null) continue;
        const path = match.slice(1).map(decodeURIComponent);
        return {
          operation,
          key: path[0],
          perform: () => perform({ path, query, headers: request.headers, body }),
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
