import { DaybookError } from '#domain/errors/daybook-error.ts';

/** Where in the exchange with the service an error arose. No query string: it holds the payload. */
export interface Exchange {
  /** The operation in words, such as `invoice list (invoiceType 1, page 3)`. */
  operation: string;
  /** HTTP status, where there was an answer. */
  status?: number;
}

/** The base of everything that can go wrong between Daybook and the payment service. */
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
  /** Whether the service itself says so, in the contract's words. A bare 404 may be a gateway's. */
  readonly isTheServices: boolean;
  constructor(exchange: Exchange, text: string, isTheServices: boolean) {
    super(exchange, text);
    this.isTheServices = isTheServices;
  }
}

/**
 * The service cannot read the request (docs/contract.md, 7 Errors, code 506): a wrong key looks like this from its
 * side.
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

/** The service refuses in words that docs/contract.md, 7 Errors does not list. */
export class RefusedError extends PaymentsError {
  override readonly name = 'RefusedError';
}

/** Login or refresh was refused: user name, password or access token are not the service's. */
export class LoginRefusedError extends PaymentsError {
  override readonly name = 'LoginRefusedError';
}

/** An answer is not the contract's shape; `path` names the first field that is not. */
export class ContractError extends PaymentsError {
  override readonly name = 'ContractError';
  readonly path: string;
  constructor(exchange: Exchange, path: string, reason: string) {
    super(exchange, `the answer is not the contract's: ${path}: ${reason}`);
    this.path = path;
  }
}

/** An answer that should be JSON is not, or was cut off. */
export class MalformedAnswerError extends PaymentsError {
  override readonly name = 'MalformedAnswerError';
}

/** An answer is larger than any page of the service can sensibly be. */
export class AnswerTooLargeError extends PaymentsError {
  override readonly name = 'AnswerTooLargeError';
}

/** The service answered with a redirect; none is followed, since it could lead credentials elsewhere. */
export class RedirectError extends PaymentsError {
  override readonly name = 'RedirectError';
}

/** No answer within the time of one request. */
export class RequestTimeoutError extends PaymentsError {
  override readonly name = 'RequestTimeoutError';
}

/** The connection could not be made, or broke. `code` is the system's own, such as `ECONNRESET`. */
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

/** A text does not decrypt with the merchant's key; says why and holds neither key nor text. */
export class CipherError extends DaybookError {
  override readonly name = 'CipherError';
  readonly why: string;
  constructor(why: string, operation?: string) {
    super(`${operation === undefined ? '' : `${operation}: `}the answer does not decrypt: ${why}`);
    this.why = why;
  }
}
