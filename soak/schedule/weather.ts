import { gzipSync } from 'node:zlib';
import type { PaymentsFault, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import type { Random } from '#sandbox/payments/day/random.ts';
import { knownErrors, type Fault, type FaultAction } from '#sandbox/aws/index.ts';
import type { Draws } from '../draws.ts';
import type { World } from '../world.ts';

/** Faults of the service on a request. None of them makes a run wait for long. */
function action(random: Random): PaymentsFaultAction {
  const when = random.pick(['before', 'after'] as const);
  return random.pick<PaymentsFaultAction>([
    {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': random.pick(['0', '0', '0', '1', '-5', 'soon']) },
    },
    { kind: 'status', status: random.pick([429, 500, 502, 503, 504]) },
    { kind: 'status', status: 200 },
    { kind: 'server-error', status: random.pick([200, 500]) },
    { kind: 'reset', when },
    { kind: 'half-body' },
    { kind: 'cut-json' },
    { kind: 'html' },
    { kind: 'html', status: 200 },
    { kind: 'gzip' },
    { kind: 'content-type', value: 'text/html' },
    { kind: 'delay', milliseconds: 1 + random.below(60) },
    { kind: 'replace', body: (text) => gzipSync(text) },
    { kind: 'replace', body: (text) => `\uFEFF${text}` },
  ]);
}

function drawServiceFaults(merchantCode: string, random: Random): PaymentsFault[] {
  if (!random.chance(30)) return [];
  return Array.from({ length: 1 + random.below(4) }, () => ({
    merchantCode,
    operation: random.pick(['login', 'invoices', 'invoices', 'refunds', 'refund'] as const),
    skip: random.below(6),
    times: 1 + random.below(4),
    action: action(random),
  }));
}

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

function drawMerchantFaults(merchantCode: string, random: Random): Fault[] {
  const stored = random.chance(20) ? 1 + random.below(3) : 0;
  const mailed = random.chance(16) ? 1 : 0;
  return [
    ...Array.from({ length: stored }, () => storageFault(new RegExp(`merchant=${merchantCode}/`), random)),
    ...Array.from({ length: mailed }, () => mailFault(new RegExp(`-${merchantCode}@`), random)),
  ];
}

function drawGroupFaults(random: Random): Fault[] {
  return [
    ...(random.chance(25) ? [storageFault(/\/group=/, random)] : []),
    ...(random.chance(16) ? [mailFault(/@groups\./, random)] : []),
  ];
}

/** SES refuses mail to the address, as for an address that is not verified in SES's sandbox. */
function refusalOf(address: string): Fault {
  const key = new RegExp(`^${address.replaceAll('.', String.raw`\.`)}$`);
  return { service: 'ses', key, times: Number.POSITIVE_INFINITY, action: knownErrors.ses.notVerified };
}

/** The faults of one tick that affect all merchants: at the plan, the secret, the registry, the notices and the queues. */
function drawSharedFaults(random: Random): Fault[] {
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

/** How many requests a token lives for. Usually it never expires. */
const TOKEN_LIVES = [null, null, null, null, null, null, 40, 12, 5] as const;

/** The current faults of the service and of AWS, and whether functions are killed. */
export class Weather {
  readonly #world: World;
  readonly #draws: Draws;
  #isCalm = false;
  #refused: readonly string[] = [];

  constructor(world: World, draws: Draws) {
    this.#world = world;
    this.#draws = draws;
  }

  /** Whether no function is killed, and only faults that last all day are active. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  get isClear(): boolean {
    return this.#isCalm && this.#refused.length === 0;
  }

  refuse(addresses: readonly string[]): void {
    this.#refused = addresses;
    this.clear();
  }

  /** How the service writes its answers on a day: one of the ways that the contract allows. */
  newDay(day: string): void {
    const random = this.#draws.of('manners', day);
    Object.assign(this.#world.payments.behaviour, {
      counts: random.pick(['strings', 'numbers'] as const),
      statsScope: random.pick(['type', 'all'] as const),
      invoiceAnswers: random.pick(['plain', 'encrypted'] as const),
      errorAnswers: random.pick(['plain', 'encrypted'] as const),
      padBlock: random.pick([16, 32] as const),
      refundListPages: random.pick(['page', 'none', 'repeats'] as const),
    });
  }

  /** Starts the faults of one tick, drawn from the seed. @param tick names it */
  worsen(tick: string, merchantCodes: readonly string[]): void {
    this.clear();
    if (this.#isCalm) return;
    const { payments, aws } = this.#world;
    for (const merchantCode of merchantCodes) {
      const random = this.#draws.of('faults', tick, merchantCode);
      for (const fault of drawServiceFaults(merchantCode, random)) payments.behaviour.faults.add(fault);
      for (const fault of drawMerchantFaults(merchantCode, random)) aws.faults.add(fault);
    }
    const shared = this.#draws.of('faults', tick);
    for (const fault of drawSharedFaults(shared)) aws.faults.add(fault);
    for (const fault of drawGroupFaults(this.#draws.of('group faults', tick))) aws.faults.add(fault);
    payments.behaviour.tokenDiesEvery = shared.pick(TOKEN_LIVES);
    payments.behaviour.loginRefused = merchantCodes.filter(() => shared.below(1_000) < 12);
  }

  clear(): void {
    const { payments, aws } = this.#world;
    payments.behaviour.faults.clear();
    payments.behaviour.tokenDiesEvery = null;
    payments.behaviour.loginRefused = false;
    aws.faults.clear();
    for (const address of this.#refused) aws.faults.add(refusalOf(address));
  }

  async calmly<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#isCalm;
    this.calmDown();
    try {
      return await act();
    } finally {
      this.#isCalm = before;
    }
  }

  /** Ends all faults except those that last all day. */
  calmDown(): void {
    this.#isCalm = true;
    this.clear();
  }
}
