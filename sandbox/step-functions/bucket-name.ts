/** The data bucket in the rendered definitions. */
export const BUCKET_NAME = 'daybook-data';
