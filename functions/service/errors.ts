import { DaybookError } from '#records/errors/daybook-error.ts';

/** Without the query string, which holds the payload. */
export interface Exchange {
  operation: string;
  status?: number;
}

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

/** docs/contract.md, 7 Errors, "Forbidden Access"; or HTTP 401, 403. */
export class ForbiddenError extends PaymentsError {
  override readonly name = 'ForbiddenError';
}

/** docs/contract.md, 7 Errors, "Request not found"; or HTTP 404. */
export class NotFoundError extends PaymentsError {
  override readonly name = 'NotFoundError';
  /** Whether the service itself says so, with the contract's message. A bare 404 may come from a gateway. */
  readonly isTheServices: boolean;
  constructor(exchange: Exchange, text: string, isTheServices: boolean) {
    super(exchange, text);
    this.isTheServices = isTheServices;
  }
}

/** docs/contract.md, 7 Errors, code 506. A wrong key has this effect. */
export class InvalidRequestError extends PaymentsError {
  override readonly name = 'InvalidRequestError';
}

/** docs/contract.md, 7 Errors, "Internal server error occurred"; or HTTP 5xx. */
export class ServerError extends PaymentsError {
  override readonly name = 'ServerError';
}

/** HTTP 429. */
export class RateLimitedError extends PaymentsError {
  override readonly name = 'RateLimitedError';
}

/** The service's message is one that docs/contract.md, 7 Errors does not list. */
export class RefusedError extends PaymentsError {
  override readonly name = 'RefusedError';
}

/** Login or refresh was refused: the user name, password or access token is wrong. */
export class LoginRefusedError extends PaymentsError {
  override readonly name = 'LoginRefusedError';
}

/** `path` names the first wrong field. */
export class ContractError extends PaymentsError {
  override readonly name = 'ContractError';
  readonly path: string;
  constructor(exchange: Exchange, path: string, reason: string) {
    super(exchange, `the answer does not follow the contract: ${path}: ${reason}`);
    this.path = path;
  }
}

/** Not JSON, or cut off. */
export class MalformedAnswerError extends PaymentsError {
  override readonly name = 'MalformedAnswerError';
}

export class AnswerTooLargeError extends PaymentsError {
  override readonly name = 'AnswerTooLargeError';
}

/** Redirects are never followed: they could lead credentials elsewhere. */
export class RedirectError extends PaymentsError {
  override readonly name = 'RedirectError';
}

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

export class DeadlineError extends PaymentsError {
  override readonly name = 'DeadlineError';
}

/** The message gives the reason, without key or text. */
export class CipherError extends DaybookError {
  override readonly name = 'CipherError';
  readonly why: string;
  constructor(why: string, operation?: string) {
    super(`${operation === undefined ? '' : `${operation}: `}the answer does not decrypt: ${why}`);
    this.why = why;
  }
}
