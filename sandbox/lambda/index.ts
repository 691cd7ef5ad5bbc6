export { installRuntimeClient } from './install-client.ts';
export type { DeployedFunction } from './execution-environment.ts';
export { FunctionHost } from './execution-environment.ts';
export type { Failure, Outcome } from './runtime-api.ts';
