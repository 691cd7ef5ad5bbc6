/** A shared child ends after five minutes: the stacks check that its calls end in that time. */

/** Merchants of a shared child. They run side by side. */
export const SHARED_BY = 5;

/** The most days of a merchant in a shared child. They run one after another. */
export const MOST_SHARED_DAYS = 4;
