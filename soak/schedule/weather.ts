import type { Draws } from '../draws.ts';
import { drawGroupFaults, drawMerchantFaults, drawSharedFaults, refusalOf } from '../service/aws-faults.ts';
import { drawServiceFaults } from '../service/service-faults.ts';
import type { World } from '../world.ts';

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

  /** Whether no fault is active, so that nothing may fail. */
  get isClear(): boolean {
    return this.#isCalm && this.#refused.length === 0;
  }

  /** SES refuses mail to these addresses until the next call. */
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

  /** Does something without faults. */
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
