/**
 * A folder in the bucket of query results. Each workgroup has its own, and no folder is inside another. The state machine puts its
 * answers into its next statements. So nobody else may write into its folder.
 */
export type AnswerFolder = `${string}/`;

/** Answers to people who may query the whole lake. */
export const PEOPLE_ANSWERS: AnswerFolder = 'people/';

/** Answers to the state machine that keeps the history. */
export const MACHINE_ANSWERS: AnswerFolder = 'history/';
