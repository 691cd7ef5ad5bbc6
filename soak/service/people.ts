import type { Draws } from '../draws.ts';
import type { SoakMerchant, RegistryBook } from '../merchants.ts';
import type { Counts } from '../tally.ts';
import type { World } from '../world.ts';

/** The people who edit the registry and the secret, and the service's staff who change keys. */
export function createPeople(world: World, draws: Draws, counts: Counts, book: RegistryBook) {
  /** The secret's entries for merchants whose credentials have changed. */
  const secrets = new Map<string, Record<string, unknown>>();
  const desks = new Map<string, number>();
  /** Keys that the secret has already. The service will start to use them during a request. */
  const pending: { merchantCode: string; turn: () => void }[] = [];
  /** Those of the keys that no request has activated yet. */
  const unturned: (() => void)[] = [];

  function nextDesk(merchantCode: string): string {
    const number = (desks.get(merchantCode) ?? 0) + 1;
    desks.set(merchantCode, number);
    return `desk${number}-${merchantCode}@merchants.example`;
  }

  const putRegistry = () => world.putObject('config/merchants.json', book.text());

  return {
    begin: (): Promise<void> => {
      world.putSecret(secrets);
      return putRegistry();
    },
    welcome: async (merchants: readonly SoakMerchant[]): Promise<void> => {
      if (merchants.length === 0) return;
      for (const merchant of merchants) {
        const { merchantCode } = merchant.account;
        const random = draws.of('recipients', merchantCode);
        const addresses = [`owner-${merchantCode}@merchants.example`];
        if (random.chance(35)) addresses.push(nextDesk(merchantCode));
        if (random.chance(10)) addresses.push(`books-${merchantCode}@merchants.example`);
        book.add(merchant, addresses, world.clock.now());
      }
      await putRegistry();
    },
    /** Sometimes another person is to get a merchant's mail. @param night names it */
    editRegistry: async (night: string): Promise<void> => {
      const random = draws.of('registry', night);
      if (!random.chance(35)) return;
      const { merchantCode } = random.pick(book.merchants).account;
      const [owner = '', ...others] = book.recipients(merchantCode);
      const kept = random.chance(50) ? others : others.slice(1);
      const addresses = random.chance(60) ? [...kept, nextDesk(merchantCode)] : kept;
      book.setRecipients(merchantCode, [owner, ...addresses], world.clock.now());
      counts.other.add('recipients changed');
      await putRegistry();
    },
    /** Sometimes a merchant gets another key or password. The secret has it first, together with the old key. */
    rotate: (night: string): void => {
      const random = draws.of('credentials', night);
      if (!random.chance(25)) return;
      const { merchantCode, cipher } = random.pick(book.merchants).account;
      const known = secrets.get(merchantCode) ?? {};
      if (random.chance(60)) {
        const fresh = { ...cipher, key: random.characters(32), iv: random.characters(16) };
        const before = known['cipher'] ?? cipher;
        secrets.set(merchantCode, { ...known, cipher: fresh, previous: { cipher: before } });
        const turn = () => world.payments.rotate(merchantCode, fresh);
        // In the middle of the next tick, or at once.
        if (random.chance(50)) turn();
        else pending.push({ merchantCode, turn });
      } else {
        const password = random.characters(20);
        secrets.set(merchantCode, { ...known, password });
        world.payments.reissue(merchantCode, { password });
      }
      world.putSecret(secrets);
      counts.other.add('credentials changed');
    },
    /** The service starts to use keys that the secret has already, during a request. */
    turnKeys: (): void => {
      for (const { merchantCode, turn } of pending.splice(0)) {
        let isDone = false;
        const after = () => {
          if (!isDone) turn();
          isDone = true;
        };
        world.payments.behaviour.faults.add({ merchantCode, skip: 3, action: { kind: 'call', after } });
        unturned.push(after);
      }
    },
    /** Keys that no request of the tick has activated are activated after it. */
    turnTheRest: (): void => {
      for (const turn of unturned.splice(0)) turn();
    },
  };
}
