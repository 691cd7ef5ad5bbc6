import { UsageError } from './daybook/terminal/command-errors.ts';
import { wholeOption } from './local/terminal/terminal.ts';
import { addDays, isDay } from '#records/day/business-day.ts';
import { encrypt } from '#sandbox/payments/http/cipher.ts';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';
import { readOptions } from '#scripts/command-line.ts';

const USAGE = `Runs a made-up payment service, to develop and test a client against.

  npm run sandbox -- [options]

  --port <n>       port on 127.0.0.1; 0: any free port    (4080)
  --merchants <n>  merchants 700001, 700002, …             (3)
  --invoices <n>   invoices per merchant                   (428)
  --refunds <n>    refunds per merchant                    (12)
  --day <date>     the day, YYYY-MM-DD                     (yesterday, UTC)
  --latency <ms>   delay of every answer                   (0)
  --per-page <n>   records a page                          (15)
  -h, --help       show this text
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  port: text,
  merchants: text,
  invoices: text,
  refunds: text,
  day: text,
  latency: text,
  'per-page': text,
} as const;

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
  const values = readOptions(USAGE, OPTIONS);
  const day = values.day ?? addDays(new Date().toISOString().slice(0, 10), -1);
  if (!isDay(day)) throw new UsageError(`--day must be a date YYYY-MM-DD, not ${JSON.stringify(day)}`);
  const count = wholeOption('merchants', values.merchants, 1, 1_000) ?? 3;
  const invoices = wholeOption('invoices', values.invoices, 0, 500_000) ?? 428;
  const refunds = wholeOption('refunds', values.refunds, 0, 500_000) ?? 12;
  const merchants = Array.from({ length: count }, (_, index) => sandboxMerchant(index));
  const sandbox = await startPaymentsSandbox({
    port: wholeOption('port', values.port, 0, 65_535) ?? 4080,
    perPage: wholeOption('per-page', values['per-page'], 1, 10_000) ?? 15,
    merchants,
    behaviour: { latencyMilliseconds: wholeOption('latency', values.latency, 0, 600_000) ?? 0 },
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
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
