/*
 * The one way to the code that composes mails. A run that sends no mail does not load it. With a way to each composer, a
 * cold start would have to read more and smaller files.
 */
export { composeReport } from './compose-report.ts';
export { composeCorrection } from './compose-correction.ts';
