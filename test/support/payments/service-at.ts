/** The client's own settings of the service, with another address. */
export function serviceAt(origin: string) {
  return {
    service: {
      baseUrl: origin,
      loginPath: '/api/v1/login',
      refreshPath: '/api/v1/token-refresh',
      refundListPath: '/api/v1/refund/',
    },
    allowedOrigins: [origin],
  };
}
