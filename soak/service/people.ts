import type { Draws } from '../draws.ts';
import type { SoakMerchant, RegistryBook } from '../merchants.ts';
import type { Counts } from '../tally.ts';
import type { World } from '../world.ts';

/** The people who edit the registry and the secret, and the service's staff who change keys. */
export class People {
  readonly #world: World;
  readonly #draws: Draws;
  readonly #counts: Counts;
  readonly #book: RegistryBook;
  /** The secret's entries for merchants whose credentials have changed. */
  readonly #secrets = new Map<string, Record<string, unknown>>();
  readonly #desks = new Map<string, number>();
  /** Keys that the secret has already. The service will start to use them during a request. */
  readonly #pending: { merchantCode: string; turn: () => void }[] = [];
  /** Those of the keys that no request has activated yet. */
  readonly #unturned: (() => void)[] = [];

  constructor(world: World, draws: Draws, counts: Counts, book: RegistryBook) {
    this.#world = world;
    this.#draws = draws;
    this.#counts = counts;
    this.#book = book;
  }

  async begin(): Promise<void> {
    this.#world.putSecret(this.#secrets);
    await this.#putRegistry();
  }

  async welcome(merchants: readonly SoakMerchant[]): Promise<void> {
    if (merchants.length === 0) return;
    for (const merchant of merchants) {
      const { merchantCode } = merchant.account;
      const random = this.#draws.of('recipients', merchantCode);
      const addresses = [`owner-${merchantCode}@merchants.example`];
      if (random.chance(35)) addresses.push(this.#nextDesk(merchantCode));
      if (random.chance(10)) addresses.push(`books-${merchantCode}@merchants.example`);
      this.#book.add(merchant, addresses, this.#world.clock.now());
    }
    await this.#putRegistry();
  }

  /** Sometimes another person is to get a merchant's mail. @param night names it */
  async editRegistry(night: string): Promise<void> {
    const random = this.#draws.of('registry', night);
    if (!random.chance(35)) return;
    const { merchantCode } = random.pick(this.#book.merchants).account;
    const [owner = '', ...others] = this.#book.recipients(merchantCode);
    const kept = random.chance(50) ? others : others.slice(1);
    const addresses = random.chance(60) ? [...kept, this.#nextDesk(merchantCode)] : kept;
    this.#book.setRecipients(merchantCode, [owner, ...addresses], this.#world.clock.now());
    this.#counts.other.add('recipients changed');
    await this.#putRegistry();
  }

  /** Sometimes a merchant gets another key or password. The secret has it first, together with the old key. */
  rotate(night: string): void {
    const random = this.#draws.of('credentials', night);
    if (!random.chance(25)) return;
    const { merchantCode, cipher } = random.pick(this.#book.merchants).account;
    const known = this.#secrets.get(merchantCode) ?? {};
    if (random.chance(60)) {
      const fresh = { ...cipher, key: random.characters(32), iv: random.characters(16) };
      const before = known['cipher'] ?? cipher;
      this.#secrets.set(merchantCode, { ...known, cipher: fresh, previous: { cipher: before } });
      const turn = () => this.#world.payments.rotate(merchantCode, fresh);
      // In the middle of the next tick, or at once.
      if (random.chance(50)) turn();
      else this.#pending.push({ merchantCode, turn });
    } else {
      const password = random.characters(20);
      this.#secrets.set(merchantCode, { ...known, password });
      this.#world.payments.reissue(merchantCode, { password });
    }
    this.#world.putSecret(this.#secrets);
    this.#counts.other.add('credentials changed');
  }

  /** The service starts to use keys that the secret has already, during a request. */
  turnKeys(): void {
    for (const { merchantCode, turn } of this.#pending.splice(0)) {
      let isDone = false;
      const after = () => {
        if (!isDone) turn();
        isDone = true;
      };
      this.#world.payments.behaviour.faults.add({ merchantCode, skip: 3, action: { kind: 'call', after } });
      this.#unturned.push(after);
    }
  }

  /** Keys that no request of the tick has activated are activated after it. */
  turnTheRest(): void {
    for (const turn of this.#unturned.splice(0)) turn();
  }

  #nextDesk(merchantCode: string): string {
    const number = (this.#desks.get(merchantCode) ?? 0) + 1;
    this.#desks.set(merchantCode, number);
    return `desk${number}-${merchantCode}@merchants.example`;
  }

  async #putRegistry(): Promise<void> {
    await this.#world.putObject('config/merchants.json', this.#book.text());
  }
}
