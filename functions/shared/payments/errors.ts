import { DaybookError } from '#domain/errors/daybook-error.ts';

/** The request in which an error arose. Without the query string, which holds the payload. */
export interface Exchange {
  /** The name of the operation, such as `invoice list (invoiceType 1, page 3)`. */
  operation: string;
  /** HTTP status, when there was an answer. */
  status?: number;
}

/** The base of all errors between Daybook and the payment service. */
export abstract class PaymentsError extends DaybookError {
  readonly operation: string;
  readonly status: number | undefined;
  /** Milliseconds that the service asked to wait (`Retry-After`). */
  retryAfter: number | undefined;

  constructor(exchange: Exchange, text: string, options?: ErrorOptions) {
    super(`${exchange.operation}: ${text}`, options);
    this.operation = exchange.operation;
    this.status = exchange.status;
  }
}

/**
 * The service refuses the token or the permission (docs/contract.md, 7 Errors, "Forbidden Access"; or HTTP 401, 403).
 */
export class ForbiddenError extends PaymentsError {
  override readonly name = 'ForbiddenError';
}

/** The service does not know what was asked for (docs/contract.md, 7 Errors, "Request not found"; or HTTP 404). */
export class NotFoundError extends PaymentsError {
  override readonly name = 'NotFoundError';
  /** Whether the service itself says so, with the contract's message. A bare 404 may come from a gateway. */
  readonly isTheServices: boolean;
  constructor(exchange: Exchange, text: string, isTheServices: boolean) {
    super(exchange, text);
    this.isTheServices = isTheServices;
  }
}

/**
 * The service cannot read the request (docs/contract.md, 7 Errors, code 506). A wrong key has this effect.
 */
export class InvalidRequestError extends PaymentsError {
  override readonly name = 'InvalidRequestError';
}

/** The service failed (docs/contract.md, 7 Errors, "Internal server error occurred"; or HTTP 5xx). */
export class ServerError extends PaymentsError {
  override readonly name = 'ServerError';
}

/** The service asks for fewer requests (HTTP 429). */
export class RateLimitedError extends PaymentsError {
  override readonly name = 'RateLimitedError';
}

/** The service refuses with a message that docs/contract.md, 7 Errors does not list. */
export class RefusedError extends PaymentsError {
  override readonly name = 'RefusedError';
}

/** Login or refresh was refused: the user name, password or access token is wrong. */
export class LoginRefusedError extends PaymentsError {
  override readonly name = 'LoginRefusedError';
}

/** An answer does not have the contract's shape. `path` names the first wrong field. */
export class ContractError extends PaymentsError {
  override readonly name = 'ContractError';
  readonly path: string;
  constructor(exchange: Exchange, path: string, reason: string) {
    super(exchange, `the answer does not follow the contract: ${path}: ${reason}`);
    this.path = path;
  }
}

/** An answer is not JSON, or was cut off. */
export class MalformedAnswerError extends PaymentsError {
  override readonly name = 'MalformedAnswerError';
}

/** An answer is larger than a page of the service can reasonably be. */
export class AnswerTooLargeError extends PaymentsError {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * The service answered with a redirect. Redirects are never followed, because they could lead credentials
 * elsewhere.
 */
export class RedirectError extends PaymentsError {
  override readonly name = 'RedirectError';
}

/** No answer came within the time of one request. */
export class RequestTimeoutError extends PaymentsError {
  override readonly name = 'RequestTimeoutError';
}

/** The connection failed or broke. `code` is the system's own, such as `ECONNRESET`. */
export class ConnectionError extends PaymentsError {
  override readonly name = 'ConnectionError';
  readonly code: string;
  constructor(exchange: Exchange, code: string) {
    super(exchange, `the connection failed (${code})`);
    this.code = code;
  }
}

/** The time for the whole pull is over. */
export class DeadlineError extends PaymentsError {
  override readonly name = 'DeadlineError';
}

/** A text does not decrypt with the merchant's key. The message gives the reason, without key or text. */
export class CipherError extends DaybookError {
  override readonly name = 'CipherError';
  readonly why: string;
  constructor(why: string, operation?: string) {
    super(`${operation === undefined ? '' : `${operation}: `}the answer does not decrypt: ${why}`);
    this.why = why;
  }
}
