import type { Draws } from '../draws.ts';
import { drawMerchantFaults, drawSharedFaults, refusalOf } from '../service/aws-faults.ts';
import { drawServiceFaults } from '../service/service-faults.ts';
import type { World } from '../world.ts';

/** How long a token lives, in requests: for ever as a rule. */
const TOKEN_LIVES = [null, null, null, null, null, null, 40, 12, 5] as const;

/** What is in the way of the functions at a time: faults of the service and of AWS, and whether they are killed. */
export class Weather {
  readonly #world: World;
  readonly #draws: Draws;
  #isCalm = false;
  #refused: readonly string[] = [];

  constructor(world: World, draws: Draws) {
    this.#world = world;
    this.#draws = draws;
  }

  /** Whether nobody is killed and nothing is in the way but what lasts all day. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** Whether nothing is in the way, so that nothing may fail. */
  get isClear(): boolean {
    return this.#isCalm && this.#refused.length === 0;
  }

  /** SES takes no mail to these addresses, until others are named or none. */
  refuse(addresses: readonly string[]): void {
    this.#refused = addresses;
    this.clear();
  }

  /** How the service writes its answers on a day: another way that the contract allows. */
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

  /** Puts in the way of one tick what the seed says. @param tick names it */
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

  /** Does something while nothing is in the way. */
  async calmly<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#isCalm;
    this.calmDown();
    try {
      return await act();
    } finally {
      this.#isCalm = before;
    }
  }

  /** From now on nothing is in the way but what lasts. */
  calmDown(): void {
    this.#isCalm = true;
    this.clear();
  }
}
