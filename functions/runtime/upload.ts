export { Upload } from '@aws-sdk/lib-storage';
