import { S3Client } from '@aws-sdk/client-s3';
import { PlanStore } from '#functions/plan/store/plan-store.ts';

// Reads items in a process with the memory of a function, and says what came of it.
const [endpoint = '', bucket = '', key = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };
const plans = new PlanStore(new S3Client({ region: 'us-east-1', endpoint, credentials }), bucket);
try {
  const items = await plans.items(key, () => true);
  process.stdout.write(`${items.length} items`);
} catch (error) {
  process.stdout.write(error instanceof Error ? `${error.name}: ${error.message}` : 'no error');
}
