/** The version of Trino. The file metastore takes only tables that were written for the same version. */
export const TRINO_VERSION = '476';
/** The oldest Java that runs it. */
export const LEAST_JAVA = 24;
