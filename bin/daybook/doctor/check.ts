import { allMerchants } from '#registry/merchants.ts';
import type { Stage } from '../stage/stage.ts';
import { requestHandler } from '#runtime/aws-clients.ts';

/** A check of one thing of a stage, such as one that it needs to send its mails. Before a deploy there is an account alone. */
export interface Check<Checked = CheckedStage> {
  /** Short, such as `DMARC`. */
  name: string;
  looksAt: (checked: Checked) => string;
  /** Has at least one finding: what is fine is one, too. @throws any error: then the check could not be made */
  look: (checked: Checked) => Finding[] | Promise<Finding[]>;
}

/**
 * `wait`: before a deploy, others have to do something, which may take days. `wrong`: mails do not go out, nobody is notified,
 * the lake hides sealed days, or a deploy fails. `warning`: that may happen. `unknown`: it could not be checked.
 */
export type Verdict = 'wait' | 'wrong' | 'warning' | 'unknown' | 'fine';

export interface Finding {
  verdict: Verdict;
  found: string;
  /** What to do: a command to type, where there is one. */
  mend?: string;
}

/** The check could not be made. The message says why. */
export class CannotLookError extends Error {
  override readonly name = 'CannotLookError';
}

export function fine(found: string): Finding {
  return { verdict: 'fine', found };
}

function bad(verdict: Verdict) {
  return (found: string, mend: string): Finding => ({ verdict, found, mend });
}

export const [wait, wrong, warning] = [bad('wait'), bad('wrong'), bad('warning')];

/** It could not be checked. @param mend what to do, if that is known */
export function unknown(found: string, mend?: string): Finding {
  return { verdict: 'unknown', found, ...(mend !== undefined && { mend }) };
}

export function orFine(findings: readonly Finding[], found: string): Finding[] {
  return findings.length > 0 ? [...findings] : [fine(found)];
}

/** The words of the AWS CLI that ask for more of a quota. */
export function quotaIncrease(service: string, code: string, value: string): string[] {
  return [
    ...['service-quotas', 'request-service-quota-increase', '--service-code', service],
    ...['--quota-code', code, '--desired-value', value],
  ];
}

/** The first findings, and one that counts the others. @param more what to type to see all */
export function firstOf(findings: readonly Finding[], more: string): Finding[] {
  const [most, [next]] = [findings.slice(0, MOST), findings.slice(MOST)];
  if (next === undefined) return most;
  return [...most, { verdict: next.verdict, found: `and ${findings.length - MOST} more`, mend: more }];
}

const MOST = 10;

const SETTINGS = { maxAttempts: 4, requestHandler: requestHandler(8_000) };

/** Makes clients of services. @param isLocal a service without a loopback address must not be looked for in AWS then */
export function createClients(isLocal: boolean) {
  return <Client extends { config: { serviceId: string } }>(
    Service: new (settings: typeof SETTINGS) => Client,
  ): Client => {
    const client = new Service(SETTINGS);
    const { serviceId } = client.config;
    const variable = `AWS_ENDPOINT_URL_${serviceId.toUpperCase().replaceAll(' ', '_')}`;
    if (!isLocal || process.env[variable] !== undefined) return client;
    throw new CannotLookError(`the local run has no ${serviceId}`);
  };
}

export type CheckedStage = ReturnType<typeof createCheckedStage>;

/** What a check needs that also looks at an account before any deploy. */
export interface CheckedAccount extends Pick<CheckedStage, 'client' | 'dnsServers'> {
  stage: Pick<Stage, 'name' | 'lines' | 'concurrency'>;
}

/** Reads nothing yet. `now`: milliseconds UTC. `dnsServers`: with or without a port; empty: this machine's. */
export function createCheckedStage(stage: Stage, now: () => number, dnsServers: readonly string[]) {
  const read = async () => {
    const { registry, alarm } = await stage.registry();
    return { registry, alarm, ...allMerchants(registry) };
  };
  let known: ReturnType<typeof read> | undefined;
  return {
    stage,
    now,
    client: createClients(stage.isLocal),
    dnsServers,
    /**
     * Read once. `alarm`: why the last good one is used instead, `null` when it is not.
     *
     * @throws {RegistryError} when it cannot be used
     */
    registry: () => (known ??= read()),
  };
}
