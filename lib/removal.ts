import { RemovalPolicy } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';

type Removal = Pick<Settings, 'removal'>;

/** What happens to a bucket or key when its stack is deleted. */
export function dataRemoval({ removal }: Removal): RemovalPolicy {
  return removal === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}

/**
 * The same for a log. Its name is fixed, so a log that stayed after a first deploy which failed would make the second one fail, too.
 * Therefore it goes when its creation is undone.
 */
export function logRemoval({ removal }: Removal): RemovalPolicy {
  return removal === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}
