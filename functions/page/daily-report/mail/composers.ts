/**
 * The one way to the code that composes mails, which a run without mail does not load. With a way to each, a
 * cold start would read more and smaller files.
 */
export { composeReport } from './compose-report.ts';
export { composeCorrection } from './compose-correction.ts';
