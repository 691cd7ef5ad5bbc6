import { FIRST, TODAY, describeFiguresOfMails, monthsOfMail } from '#support/lake/mail-figures.ts';
import { openLakeOf } from '#support/lake/running-lake.ts';

const made = await monthsOfMail();
const lake = await openLakeOf(made.world, { today: TODAY, firstDay: FIRST });
afterAll(() => lake.close());

describeFiguresOfMails(async (statements) => {
  const answers = [];
  for (const sql of statements) answers.push(...(await lake.query(sql)));
  return answers;
}, made);
