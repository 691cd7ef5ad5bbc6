/** Whether a test may be skipped where the program that it needs is missing: everywhere but in continuous integration. */
export const MAY_SKIP = process.env['DAYBOOK_TESTS'] !== 'all';
