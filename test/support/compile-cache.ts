import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Every process of the tests loads the same packages, the SDK above all. What one has compiled, the next need not. */
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/daybook-tests'));
