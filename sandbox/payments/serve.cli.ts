import { encrypt } from './http/cipher.ts';
import {
  sandboxMerchant,
  startPaymentsSandbox,
  type PaymentsSandbox,
  type SandboxMerchant,
} from './index.ts';
import { readSettings, USAGE, UsageError, type Settings } from './serve-settings.ts';

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

function describe(merchant: SandboxMerchant): string {
  return [
    `${merchant.merchantCode}  ${merchant.name}`,
    `  access code  ${merchant.accessCode}`,
    `  username     ${merchant.username}`,
    `  password     ${merchant.password}`,
    `  key          ${merchant.cipher.key}`,
    `  iv           ${merchant.cipher.iv}`,
  ].join('\n');
}

async function start(settings: Settings, merchants: SandboxMerchant[]): Promise<PaymentsSandbox> {
  try {
    return await startPaymentsSandbox({
      port: settings.port,
      perPage: settings.perPage,
      merchants,
      behaviour: { latencyMilliseconds: settings.latency },
      onRequest: ({ method, path, status, merchantCode = '-', refusal = '' }) =>
        console.log(`${method} ${path}  ${merchantCode}  ${status}  ${refusal}`.trimEnd()),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new UsageError(`port ${settings.port} is in use; choose another with --port`);
    if (code === 'EACCES')
      throw new UsageError(`port ${settings.port} is not allowed; choose another with --port`);
    throw error;
  }
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), new Date());
  if (settings === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const merchants = Array.from({ length: settings.merchants }, (_, index) => sandboxMerchant(index));
  const sandbox = await start(settings, merchants);
  const { day, invoices, refunds } = settings;
  for (const { merchantCode } of merchants) sandbox.data.seedDay(merchantCode, day, { invoices, refunds });

  console.log(`The payments sandbox runs at ${sandbox.origin}`);
  console.log(
    `with ${invoices} invoices and ${refunds} refunds of ${day} for each merchant. Ctrl-C ends it.\n`,
  );
  console.log(merchants.map(describe).join('\n\n'));
  const [first] = merchants;
  if (first !== undefined) console.log(`\nTry it:\n\n${curlCommand(sandbox.origin, first, day)}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
