import { requestText, ServiceError, type Answer, type Service, type ServiceName } from './service.ts';
import { xmlDocument, type XmlElements } from './xml.ts';

/** A service with the AWS query protocol: the request is a form with an `Action` and flat, dotted parameter names. */
interface QueryService {
  name: ServiceName;
  /** Of its XML. */
  namespace: string;
  /** What faults can match in a request. */
  keyOf: (parameters: URLSearchParams) => string | undefined;
  operations: Record<string, (parameters: URLSearchParams) => XmlElements | Promise<XmlElements>>;
}

/** Serves the operations, each with the content of its result. Any other is refused with `InvalidAction`. */
export function queryService({ name, namespace, keyOf, operations }: QueryService): Service {
  const xml = (status: number, root: string, content: XmlElements, headers = {}): Answer => ({
    status,
    headers: { 'content-type': 'text/xml', ...headers },
    body: xmlDocument(root, namespace, content),
  });
  return {
    name,
    identify: async (request) => {
      const parameters = new URLSearchParams(await requestText(request));
      const action = parameters.get('Action') ?? '';
      return {
        operation: action || 'Unknown',
        key: keyOf(parameters),
        perform: async (RequestId) => {
          const result = await operations[action]?.(parameters);
          if (result === undefined)
            throw new ServiceError(400, 'InvalidAction', `The sandbox's ${name} does not have ${action}.`);
          const content = { [`${action}Result`]: result, ResponseMetadata: { RequestId } };
          return xml(200, `${action}Response`, content);
        },
      };
    },
    refuse: ({ status, code, message, headers }, RequestId) => {
      const error = { Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message };
      return xml(status, 'ErrorResponse', { Error: error, RequestId }, headers);
    },
  };
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
