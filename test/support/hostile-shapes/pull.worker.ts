import { pull } from './pull.ts';

/** The cost of one pull: processor time in milliseconds, and how it ended. */
interface Measured {
  cpu: number;
  outcome: string;
}

const MERCHANT = { invoiceTypes: ['1'], invoiceStatuses: { 0: 'not_paid' }, refunds: { source: 'list' } };

async function measured(address: string): Promise<Measured> {
  const before = process.cpuUsage();
  const { rows, error } = await pull(address, MERCHANT);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1_000, outcome: error || `${rows} rows` };
}

const TURNS = 3;
const [warmUp = '', ...addresses] = process.argv.slice(2);
for (let turn = 0; turn < 2 * TURNS; turn += 1) await pull(warmUp, MERCHANT);
const base = process.resourceUsage().maxRSS;
const sizes: Measured[] = [];
for (const address of addresses) {
  const turns: Measured[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await measured(address));
  // Other programs on the machine can only make it slower, so the smallest time counts.
  turns.sort((a, b) => a.cpu - b.cpu);
  if (turns[0] !== undefined) sizes.push(turns[0]);
}
/** Megabytes beyond those of the warm-up. */
const memory = (process.resourceUsage().maxRSS - base) / 1024;
process.stdout.write(JSON.stringify({ sizes, memory }));
