import type { FaultAction } from './faults.ts';

/** Errors of the real services, ready for `faults.add({ …, action: knownErrors.ses.throttling })`. */
export const knownErrors = {
  s3: {
    conditionalRequestConflict: error(
      409,
      'ConditionalRequestConflict',
      'The conditional request cannot succeed due to a conflicting operation against this resource.',
    ),
    slowDown: error(503, 'SlowDown', 'Please reduce your request rate.'),
    internalError: error(500, 'InternalError', 'We encountered an internal error. Please try again.'),
    accessDenied: error(403, 'AccessDenied', 'Access Denied'),
  },
  kms: {
    disabled: error(400, 'DisabledException', 'The key is disabled.'),
  },
  secretsManager: {
    throttling: error(400, 'ThrottlingException', 'Rate exceeded'),
    internalError: error(500, 'InternalServiceError', 'An error occurred on the server side.'),
    accessDenied: error(400, 'AccessDeniedException', 'User is not authorized to perform this action.'),
  },
  ses: {
    throttling: error(400, 'Throttling', 'Maximum sending rate exceeded.'),
    notVerified: error(
      400,
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region US-EAST-1: sender@example.com',
    ),
    internalError: error(
      500,
      'InternalFailure',
      'The request processing has failed because of an unknown error.',
    ),
    unavailable: error(
      503,
      'ServiceUnavailable',
      'The request has failed due to a temporary failure of the server.',
    ),
  },
  sns: {
    notFound: error(404, 'NotFound', 'Topic does not exist'),
    throttled: error(400, 'Throttled', 'Rate exceeded'),
    internalError: error(500, 'InternalError', 'An internal error occurred.'),
  },
  sqs: {
    throttled: error(403, 'RequestThrottled', 'Rate exceeded'),
    internalError: error(500, 'InternalFailure', 'An internal error occurred.'),
    accessDenied: error(403, 'AccessDenied', 'Access to the resource is denied.'),
  },
} as const;

function error(status: number, code: string, message: string): FaultAction {
  return { kind: 'error', status, code, message };
}
