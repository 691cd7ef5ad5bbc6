import { defined } from '#support/assertions/index.ts';
import { FIRST, TODAY, describeFiguresOfMails, monthsOfMail } from '#support/lake/mail-figures.ts';
import { openLake } from '#support/lake/running-lake.ts';
import { BUCKET } from '#support/world/daybook-world.ts';

const made = await monthsOfMail();
const s3Endpoint = defined(made.world.environment['AWS_ENDPOINT_URL_S3']);
const lake = await openLake({ s3Endpoint, bucket: BUCKET, today: TODAY, firstDay: FIRST });
afterAll(() => lake.close());

describeFiguresOfMails(async (statements) => {
  const answers = [];
  for (const sql of statements) answers.push(...(await lake.query(sql)));
  return answers;
}, made);
