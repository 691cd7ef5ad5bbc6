import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { newDirectory } from '#support/machine.ts';

let folder: string;

beforeEach(() => {
  folder = newDirectory();
  writeFileSync(join(folder, 'requirements.txt'), 'some-package==1.0\n');
});

/** A Python that does what the lines say when it shall make an environment. */
function pythonThat(...lines: string[]): string {
  const file = join(folder, 'python');
  const script = ['#!/bin/sh', 'if [ "$1" = -c ]; then echo 3.14; exit; fi', ...lines];
  writeFileSync(file, `${script.join('\n')}\n`);
  chmodSync(file, 0o755);
  return file;
}

function environmentOf(python: string): Promise<string> {
  return pythonEnvironment(join(folder, 'environment'), join(folder, 'requirements.txt'), python);
}

it('is unavailable without Python', async () => {
  const missing = join(folder, 'no-python');
  await expect(environmentOf(missing)).rejects.toThrow(new UnavailableError(`${missing} is missing`));
});

it('says what to install where Debian has Python without venv: Python prints that to the standard output', async () => {
  const python = pythonThat('echo "ensurepip is not available"', 'echo "apt install python3-venv"', 'exit 1');
  await expect(environmentOf(python)).rejects.toThrow(/-m venv .* failed: [^]*apt install python3-venv/);
});

it('is made anew after an installation that failed', async () => {
  // It makes the folder as Python does, and the program in it fails.
  const python = pythonThat(
    'mkdir "$3" "$3/bin" || exit 2',
    'printf "#!/bin/sh\\nexit 1\\n" >"$3/bin/python"',
    'chmod +x "$3/bin/python"',
  );
  for (let time = 1; time <= 2; time += 1)
    await expect(environmentOf(python)).rejects.toThrow(/environment\/bin\/python -m pip install failed/);
});
