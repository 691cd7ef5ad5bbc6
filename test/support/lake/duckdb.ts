import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { lakePrograms } from '#scripts/lake.ts';
import { defined } from '#support/assertions/index.ts';
import { MAY_SKIP } from '#support/machine.ts';

const execute = promisify(execFile);
const RECIPES = join(import.meta.dirname, '../../../docs/recipes');

/** The folder of Python. Without Python and its packages tests are skipped, but not in continuous integration. */
const programs = await lakePrograms().catch((error: unknown) => {
  if (MAY_SKIP && error instanceof UnavailableError) return undefined;
  throw error;
});
export const HAS_DUCKDB = programs !== undefined;

/** The beginning of each program: values as texts, as the tests of the lake have them. */
const BEGIN = `
import datetime, decimal, json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from lake import *
def plain(value):
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)): return value
    if isinstance(value, decimal.Decimal): return format(value, 'f')
    if isinstance(value, datetime.datetime): return value.isoformat(' ', 'milliseconds')
    if isinstance(value, list): return [plain(each) for each in value]
    return str(value)
def with_mail(lake):
    lake.execute(pathlib.Path(sys.argv[1], "mail.sql").read_text("utf-8"))
    return lake
def rows(relation):
    return [dict(zip(relation.columns, map(plain, row))) for row in relation.fetchall()]
`;

/** What a program with the recipe prints, as JSON. `folder`: its second argument; `input`: what it reads. */
export async function pythonOver<T>(
  folder: string,
  schema: z.ZodType<T>,
  program: string,
  input = '',
): Promise<T> {
  const args = ['-I', '-X', 'utf8', '-c', BEGIN + program, RECIPES, folder];
  const running = execute(join(defined(programs), 'python'), args, { maxBuffer: 2 ** 26, timeout: 120_000 });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  // DuckDB draws its progress in the lines before, when it takes long.
  return schema.parse(
    JSON.parse(
      defined(
        stdout
          .trimEnd()
          .split(/[\r\n]/)
          .at(-1),
      ),
    ),
  );
}

export const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** What DuckDB answers on a day to questions, by name. @param folder with the files of the bucket */
export function askDuckdb(
  folder: string,
  today: string,
  questions: Record<string, string>,
): Promise<Record<string, Record<string, unknown>[]>> {
  const program = `
lake = with_mail(open_lake(sys.argv[2]))
lake.execute("CREATE OR REPLACE VIEW history_merges AS SELECT DISTINCT day, 'mail' AS what, TIMESTAMP '${today} 23:00:00' AS merged_at FROM days")
print(json.dumps({name: rows(lake.sql(sql)) for name, sql in json.load(sys.stdin).items()}))`;
  const dated = Object.entries(questions).map(([name, sql]) => [
    name,
    sql.replaceAll('current_date', `DATE '${today}'`),
  ]);
  return pythonOver(
    folder,
    z.record(z.string(), rowsSchema),
    program,
    JSON.stringify(Object.fromEntries(dated)),
  );
}

/** A row whose JSON in text columns is compared by value: engines write some escapes differently. */
export function spelled(row: Record<string, unknown>): Record<string, unknown> {
  const json = Object.entries(row).filter(([, value]) => typeof value === 'string' && /^[[{]/.test(value));
  return { ...row, ...Object.fromEntries(json.map(([name, value]) => [name, parsed(String(value))])) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
