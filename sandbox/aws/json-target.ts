import * as z from 'zod';
import { jsonAnswer } from './json-answer.ts';
import { requestText } from './request-body.ts';
import { ServiceError } from './service.ts';
import type { Service, ServiceName } from './service.ts';

/** A service with the AWS JSON protocol: the operation is in the header `X-Amz-Target`, the request in the body. */
interface JsonTarget {
  name: ServiceName;
  version: '1.0' | '1.1';
  /** The text before the dot in `X-Amz-Target`. */
  target: string;
  /** What faults can match in a request. */
  keyOf?: (input: unknown) => string | undefined;
  /** The body of each operation's answer. */
  operations: Record<string, (input: unknown) => object | Promise<object>>;
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
          return jsonAnswer(await serve(input), contentType);
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

/**
 * The request in the form that the operation needs.
 *
 * @throws {ServiceError} `ValidationException` for a member that is missing or of a wrong type
 */
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
