export { installRuntimeClient } from './install-client.ts';
export type { DeployedFunction } from './execution-environment.ts';
export { FunctionHost } from './function-host.ts';
export type { Failure, Outcome } from './runtime-api.ts';
