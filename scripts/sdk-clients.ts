// What every function needs, and the least that one could be: imports are measured by a bundle of this.
export { S3Client } from '@aws-sdk/client-s3';
export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
export { SESClient } from '@aws-sdk/client-ses';
