// The clients that every function needs. Imports are compared with a bundle of this file.
export { S3Client } from '@aws-sdk/client-s3';
export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
export { SESClient } from '@aws-sdk/client-ses';
