export { TrinoClient, TrinoError } from './client.ts';
export type { TrinoAnswer, TrinoColumn, TrinoValue } from './client.ts';
export { installTrino } from './installation/install.ts';
export type { TrinoInstallation } from './installation/install.ts';
export { TrinoLake } from './lake.ts';
export type { TrinoLakeOptions, TrinoRow } from './lake.ts';
export { startTrino } from './server.ts';
export type { TrinoServer, TrinoServerOptions } from './server.ts';
