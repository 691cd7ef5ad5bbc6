import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { CannotLookError, fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** A certificate that ends within these days should have been renewed. */
const SOON = 14;
const TIMEOUT = 10_000;
const HTTPS = 443;

/** What a server showed. */
export interface Seen {
  /** Why it is not trusted, `undefined` when it is. */
  fault: string | undefined;
  validTo: number;
}

/** The certificate of the payment service. */
export const certificate: Check = {
  name: 'Certificate',
  looksAt: () => 'the payment service',
  look: async ({ usableRegistry, now }: CheckedStage) => {
    const { registry } = await usableRegistry();
    const url = new URL(registry.service.baseUrl);
    if (url.protocol !== 'https:') return [fine(`${url.host} is read without TLS`)];
    return [certificateFinding(await certificateOf(url), url.host, now())];
  },
};

function certificateOf({ hostname, port }: URL): Promise<Seen> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? HTTPS : Number(port),
      // A certificate that is not trusted is a finding, not a failure. Nothing is sent.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
    });
    const fail = (reason: string) => {
      socket.destroy();
      reject(new CannotLookError(`${host} cannot be reached: ${reason}`));
    };
    socket.setTimeout(TIMEOUT, () => fail('no answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.on('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const fault = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      resolve({ fault, validTo: Date.parse(validTo) });
    });
  });
}

/** @param now milliseconds UTC */
export function certificateFinding({ fault, validTo }: Seen, host: string, now: number): Finding {
  const days = Math.floor((validTo - now) / DAY);
  const until = Number.isNaN(validTo) ? 'an unknown date' : new Date(validTo).toISOString().slice(0, 10);
  const owner = 'ask the owner of the payment service for a valid certificate';
  if (days < 0)
    return wrong(`the certificate of ${host} expired on ${until}: the service cannot be read`, owner);
  if (fault !== undefined)
    return wrong(`the certificate of ${host} is not trusted (${fault}): the service cannot be read`, owner);
  const found = `the certificate of ${host} is valid for ${days} days, until ${until}`;
  return days < SOON ? warning(found, 'ask the owner of the payment service to renew it') : fine(found);
}
