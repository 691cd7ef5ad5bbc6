/**
 * A statement of a program: gives up the rights of root, who can read and write everywhere, for those of a user without any.
 * The process does so itself, after it has loaded its modules: they may be in a folder that other users may not enter.
 */
export const WITHOUT_ROOT = `if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65_534);
  process.setuid(65_534);
}`;
