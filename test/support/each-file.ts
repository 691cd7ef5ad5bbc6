import { FIRST_ENVIRONMENT } from './first-environment.ts';

/* Files of tests share a process. Each begins with the environment of the first, and sees nothing that another has set. */

for (const name of Object.keys(process.env)) {
  if (!Object.hasOwn(FIRST_ENVIRONMENT, name)) Reflect.deleteProperty(process.env, name);
}
Object.assign(process.env, FIRST_ENVIRONMENT);
