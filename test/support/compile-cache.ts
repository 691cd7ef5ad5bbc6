import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Every process of the tests loads the same packages, the SDK above all. What one has compiled, the next need not. Processes
 * that a test starts with the environment of this one, such as `npm start`, use the same compiled code.
 */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/daybook-tests');
enableCompileCache(COMPILED);
process.env['NODE_COMPILE_CACHE'] = COMPILED;
