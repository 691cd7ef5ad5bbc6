const TRIES = 5;

/** One good try of five is enough: on a busy machine, a single measurement can be wrong by several times. */
export async function expectLinearTime(work: (size: number) => unknown, size: number): Promise<void> {
  const timeOf = async (some: number) => {
    const begun = process.cpuUsage();
    await work(some);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
  let growth = Infinity;
  for (let tries = 0; tries < TRIES && growth > 24; tries += 1) {
    const small = await timeOf(size);
    growth = (await timeOf(size * 8)) / Math.max(small, 2);
  }
  expect(growth).toBeLessThanOrEqual(24);
}
