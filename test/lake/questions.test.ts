import { HistoryLake } from '#support/lake/history-lake.ts';
import { describeQuestions } from '#support/lake/questions.ts';
import { FIRST, TODAY, sealRandomMonths } from '#support/lake/random-months.ts';

const lake = await HistoryLake.start({ today: TODAY, firstDay: FIRST });
const truth = await sealRandomMonths(lake.put);
afterAll(() => lake.close());

describeQuestions({ query: (sql) => lake.query(sql), truth });
