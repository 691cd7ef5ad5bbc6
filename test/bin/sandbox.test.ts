import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { MAY_SKIP } from '#support/machine.ts';
import { runProgram, runScript, startScript } from '#support/run-script.ts';

const CLI = fileURLToPath(new URL('../../bin/sandbox.ts', import.meta.url));

const hasCurl = spawnSync('curl', ['--version']).status === 0;

it('prints the credentials and a command that works, and ends on Ctrl-C', async ({ skip }) => {
  skip(!hasCurl && MAY_SKIP, 'needs curl, for the command that is printed');
  const args = ['--port', '0', '--merchants', '2', '--invoices', '20', '--refunds', '3', '--per-page', '4'];
  const { child, printed } = await startScript(CLI, [...args, '--day', '2026-11-20'], /accessCode.*\n/);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(printed()).toMatch(/^The payments sandbox runs at http:\/\/127\.0\.0\.1:\d+\n/);
  for (const { cipher, ...merchant } of [0, 1].map(sandboxMerchant)) {
    const { merchantCode, name, accessCode, username, password } = merchant;
    for (const value of [merchantCode, name, accessCode, username, password, cipher.key, cipher.iv])
      expect(printed()).toContain(value);
  }
  const command = printed().slice(printed().indexOf('TOKEN='));
  const { stdout } = await runProgram('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: true,
    response: { invoices: { pagination: { per_page: 4 } } },
  });
  // The line is printed after the answer is sent, perhaps a moment after the client has it.
  await expect.poll(printed, { timeout: 10_000 }).toContain('GET /api/v1/invoice-dashboard  700001  200\n');

  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect(printed()).not.toContain('Warning');
});

it.each([
  [['--port', '70000'], 'It must be a whole number from 0 to 65535.\n'],
  [['--day', '2026-02-30'], 'It must be a date YYYY-MM-DD from 2000-01-01.\n'],
])('ends with one line and status 2 when it is started with %j', async (args, message) => {
  const [option = '', value = ''] = args;
  const { code, out, complaints } = await runScript(CLI, args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(complaints).toMatch(
    new RegExp(`^error: option '${option} <.*' argument '${value}' is invalid. ${message}$`),
  );
});
