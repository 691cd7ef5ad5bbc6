import { knownErrors } from '#sandbox/aws/index.ts';
import type { Fault, FaultAction } from '#sandbox/aws/index.ts';
import type { Random } from '#sandbox/payments/day/random.ts';

function lost(random: Random): FaultAction {
  return { kind: 'reset', when: random.pick(['before', 'after']) };
}

function late(random: Random): FaultAction {
  return { kind: 'delay', milliseconds: 1 + random.below(80) };
}

function storageFault(key: RegExp, random: Random): Fault {
  const { slowDown, internalError, conditionalRequestConflict } = knownErrors.s3;
  const times = 1 + random.below(random.chance(20) ? 5 : 2);
  if (random.chance(12)) {
    return { service: 's3', operation: 'PutObject', key, times, action: conditionalRequestConflict };
  }
  return {
    service: 's3',
    key,
    skip: random.below(14),
    times,
    action: random.pick([slowDown, internalError, internalError, lost(random), lost(random), late(random)]),
  };
}

function mailFault(key: RegExp, random: Random): Fault {
  const { throttling, notVerified, internalError, unavailable } = knownErrors.ses;
  return {
    service: 'ses',
    key,
    skip: random.below(2),
    times: 1 + random.below(3),
    action: random.pick([
      throttling,
      notVerified,
      internalError,
      unavailable,
      lost(random),
      lost(random),
      late(random),
    ]),
  };
}

/** The faults of one tick on a merchant's stored objects and mails. Usually there are none. */
export function drawMerchantFaults(merchantCode: string, random: Random): Fault[] {
  const stored = random.chance(20) ? 1 + random.below(3) : 0;
  const mailed = random.chance(16) ? 1 : 0;
  return [
    ...Array.from({ length: stored }, () => storageFault(new RegExp(`merchant=${merchantCode}/`), random)),
    ...Array.from({ length: mailed }, () => mailFault(new RegExp(`-${merchantCode}@`), random)),
  ];
}

/** The faults of one tick on the pages of groups and their mails. */
export function drawGroupFaults(random: Random): Fault[] {
  return [
    ...(random.chance(25) ? [storageFault(/\/group=/, random)] : []),
    ...(random.chance(16) ? [mailFault(/@groups\./, random)] : []),
  ];
}

/** SES refuses mail to the address, as for an address that is not verified in SES's sandbox. */
export function refusalOf(address: string): Fault {
  const key = new RegExp(`^${address.replaceAll('.', String.raw`\.`)}$`);
  return { service: 'ses', key, times: Number.POSITIVE_INFINITY, action: knownErrors.ses.notVerified };
}

/** The faults of one tick that affect all merchants: at the plan, the secret, the registry, the notices and the queues. */
export function drawSharedFaults(random: Random): Fault[] {
  const { throttling, internalError } = knownErrors.secretsManager;
  const faults: Fault[] = [];
  if (random.chance(25)) faults.push(storageFault(/^(?:plan|config|mail\/ops)\//, random));
  if (random.chance(20)) {
    const action = random.pick([throttling, internalError, lost(random)]);
    faults.push({ service: 'secretsManager', skip: random.below(2), times: 1 + random.below(2), action });
  }
  if (random.chance(15)) faults.push(mailFault(/^ops@/, random));
  if (random.chance(25)) {
    const action = random.pick([knownErrors.sns.throttled, knownErrors.sns.internalError, lost(random)]);
    faults.push({ service: 'sns', times: 1 + random.below(2), action });
  }
  if (random.chance(25)) {
    const action = random.pick([knownErrors.sqs.throttled, knownErrors.sqs.internalError, lost(random)]);
    faults.push({ service: 'sqs', skip: random.below(3), times: 1 + random.below(3), action });
  }
  return faults;
}
