export { TrinoError } from './client.ts';
export type { TrinoValue } from './client.ts';
export { installTrino } from './installation/install.ts';
export { TrinoLake } from './lake.ts';
export type { TrinoRow } from './lake.ts';
export { startTrino } from './server.ts';
