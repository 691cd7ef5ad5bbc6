/** Gives up the rights of root by itself, after its modules are loaded: their folder may be closed to other users. */
export const WITHOUT_ROOT = `if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65_534);
  process.setuid(65_534);
}`;
