import type { Reporter } from 'vitest/node';

/** Closes the output of an npm command with the seconds that its tests took. */
export class Took implements Reporter {
  readonly #began = performance.now();
  readonly #command = process.env['npm_lifecycle_event'] ?? '';

  onTestRunEnd(): void {
    if (!this.#command.startsWith('test')) return;
    const command = this.#command === 'test' ? 'npm test' : `npm run ${this.#command}`;
    const seconds = Math.round((performance.now() - this.#began) / 1_000);
    // The default reporter prints its summary before, on the same event.
    process.once('exit', () => process.stdout.write(`${command} took ${seconds} s\n`));
  }
}
