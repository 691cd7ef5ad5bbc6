import { RemovalPolicy, ReferenceStrength } from 'aws-cdk-lib';
import type { Resource } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';

/**
 * What happens to data and logs when their stack is deleted. A first deploy that fails leaves nothing behind in either case:
 * a log that stayed would make the next deploy fail, because its name is fixed, and an empty bucket or key is only litter.
 */
export function removalOf({ removal }: Pick<Settings, 'removal'>): RemovalPolicy {
  return removal === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}

/**
 * For what CloudFormation names. While another stack uses such a resource, CloudFormation refuses to delete or replace it. A
 * resource that the stacks name themselves needs no hold: made anew, it has the same name (ADR 8).
 */
export function heldByConsumers(...resources: readonly Resource[]): void {
  for (const resource of resources) resource.applyCrossStackReferenceStrength(ReferenceStrength.STRONG);
}
