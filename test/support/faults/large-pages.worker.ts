import { pull } from '../hostile-shapes/pull.ts';

/** Pulls one day of the service at the given address, and prints the result and the memory it took. */
const [origin = ''] = process.argv.slice(2);
const pulled = await pull(origin, { refunds: { source: 'watchlist' } });
process.stdout.write(JSON.stringify({ ...pulled, megabytes: process.resourceUsage().maxRSS / 1024 }));
