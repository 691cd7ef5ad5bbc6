import { Command } from '@commander-js/extra-typings';
import { wholeNumber } from './daybook/command-line.ts';
import { date } from './local/settings.ts';
import { addDays } from '#records/day/business-day.ts';
import { encrypt } from '#sandbox/payments/http/cipher.ts';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';

const program = new Command('npm run sandbox --')
  .description('Runs a made-up payment service, to develop and test a client against.')
  .option('--port <n>', 'port on 127.0.0.1; 0: any free port', wholeNumber(0, 65_535), 4080)
  .option('--merchants <n>', 'merchants 700001, 700002, …', wholeNumber(1, 1_000), 3)
  .option('--invoices <n>', 'invoices per merchant', wholeNumber(0, 500_000), 428)
  .option('--refunds <n>', 'refunds per merchant', wholeNumber(0, 500_000), 12)
  .option('--day <date>', 'the day, YYYY-MM-DD (default: yesterday, UTC)', date)
  .option('--latency <ms>', 'delay of every answer', wholeNumber(0, 600_000), 0)
  .option('--per-page <n>', 'records a page', wholeNumber(1, 10_000), 15)
  .helpOption('-h, --help', 'show this text')
  .allowExcessArguments(false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

function curlCommand(origin: string, merchant: SandboxMerchant, day: string): string {
  const data = encrypt(JSON.stringify({ merchantCode: merchant.merchantCode }), merchant.cipher, 16);
  const credentials = JSON.stringify({ username: merchant.username, password: merchant.password });
  const json = "-H 'Accept: application/json' -H 'Content-Type: application/json'";
  return [
    `TOKEN=$(curl -s ${origin}/api/v1/login ${json} -d '${credentials}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "${origin}/api/v1/invoice-dashboard?fromDate=${day}&toDate=${day}&page=1&invoiceType=1&data=${data}" \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'accessCode: ${merchant.accessCode}' ${json}`,
  ].join('\n');
}

function describe({ merchantCode, name, accessCode, username, password, cipher }: SandboxMerchant): string {
  return [
    `${merchantCode}  ${name}`,
    `  access code  ${accessCode}`,
    `  username     ${username}`,
    `  password     ${password}`,
    `  key          ${cipher.key}`,
    `  iv           ${cipher.iv}`,
  ].join('\n');
}

async function main(): Promise<void> {
  const { port, perPage, invoices, refunds, latency, ...given } = program.parse().opts();
  const { day = addDays(new Date().toISOString().slice(0, 10), -1) } = given;
  const merchants = Array.from({ length: given.merchants }, (_, index) => sandboxMerchant(index));
  const sandbox = await startPaymentsSandbox({
    port,
    perPage,
    merchants,
    behaviour: { latencyMilliseconds: latency },
    onRequest: ({ method, path, status, merchantCode = '-', refusal = '' }) =>
      console.log(`${method} ${path}  ${merchantCode}  ${status}  ${refusal}`.trimEnd()),
  });
  const { origin } = sandbox;
  for (const { merchantCode } of merchants) sandbox.data.seedDay(merchantCode, day, { invoices, refunds });

  console.log(`The payments sandbox runs at ${origin}`);
  console.log(
    `with ${invoices} invoices and ${refunds} refunds of ${day} for each merchant. Ctrl-C ends it.\n`,
  );
  console.log(merchants.map(describe).join('\n\n'));
  const [first] = merchants;
  if (first !== undefined) console.log(`\nTry it:\n\n${curlCommand(origin, first, day)}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
