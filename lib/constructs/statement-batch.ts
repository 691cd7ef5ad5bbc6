/** Statements of a child, made at the same time. Each child costs a state transition, so smaller batches are dearer. */
export const STATEMENT_BATCH = 10;
