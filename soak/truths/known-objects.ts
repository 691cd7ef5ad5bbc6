import * as z from 'zod';
import { alertStateSchema } from '#domain/alerts/alert-state.ts';
import { changeMarkerSchema } from '#domain/changes/change-marker.ts';
import { dataFileInKey, dayInKey } from '#domain/storage/keys.ts';
import { dayFiguresSchema } from '#domain/figures/history.ts';
import { ledgerSchema } from '#domain/ledger/ledger.ts';
import { manifestSchema } from '#domain/revision/manifest.ts';
import { groupPageSchema } from '#domain/statement/group-page.ts';
import { statementSchema } from '#domain/statement/statement.ts';
import type { BrokenPromise } from './broken-promise.ts';
import { jsonOf } from './evidence.ts';

/** Every kind of object in the bucket except data files, with the schema of its content. */
const KINDS: readonly [RegExp, z.ZodType][] = [
  [/^days\/day=[\d-]+\/merchant=\w+\/r\d{4}\.json$/, manifestSchema],
  [/^checked\/day=[\d-]+\/merchant=\w+\.json$/, z.object({ asOf: z.string().nullable() })],
  [/^mail\/day=[\d-]+\/merchant=\w+\/r\d{4}\.json$/, ledgerSchema],
  [/^statements\/period=[\dW-]+\/merchant=[\w-]+\/r\d{4}\.json$/, statementSchema],
  [/^statements\/period=[\dW-]+\/group=[\w-]+\/r\d{4}\.json$/, groupPageSchema],
  [/^mail\/period=[\dW-]+\/(?:merchant|group)=[\w-]+\/r\d{4}\.json$/, ledgerSchema],
  [/^mail\/alerts\/merchant=\w+\/[\w-]+\.json$/, ledgerSchema],
  [/^mail\/ops\/[0-9a-f]{64}\.json$/, z.object({ about: z.string() })],
  [/^mail\/ops\/watch\/(?:day|period)=[\dW-]+\.json$/, z.object({ spell: z.int() })],
  [/^changes\/noted_on=\d{4}-\d\d-\d\d\/\d{4}-(?:days|mail)-\d{4}-\d\d-\d\d\.json$/, changeMarkerSchema],
  [/^mail-stops\/[0-9a-f]{64}\.json$/, z.object({ reason: z.string() })],
  [/^alerts\/merchant=\w+\/state\.json$/, alertStateSchema],
  [/^history\/merchant=[\w-]+\.json$/, z.object({ days: z.array(dayFiguresSchema) })],
  [/^plan\/(?:(?:daily|alert|statement)\/)?[\w-]+(?:\/(?:own|shared))?\.json$/, z.json()],
  [/^plan\/open\/daily\/\d{8}T\d{6}Z\.json$/, z.object({ itemsKey: z.string(), handedOutBy: z.string() })],
  [
    /^plan\/results\/(?:daily|alert|statement)\/[0-9a-f-]{36}\/(?:manifest|SUCCEEDED_0|FAILED_0)\.json$/,
    z.json(),
  ],
  [/^config\//, z.json()],
];

const MERCHANT = /merchant=([A-Za-z0-9-]+)/;

/**
 * Objects of an unknown kind, or with content that does not fit their kind. A reader could misunderstand them. Data files
 * that no manifest names do no harm and are not reported.
 */
export function strangers(objects: ReadonlyMap<string, Buffer>): BrokenPromise[] {
  return [...objects].flatMap(([key, body]): BrokenPromise[] => {
    if (dataFileInKey(key) !== undefined) return [];
    const schema = KINDS.find(([pattern]) => pattern.test(key))?.[1];
    if (schema?.safeParse(jsonOf(body)).success === true) return [];
    const what =
      schema === undefined ? 'is an object of no known kind' : 'does not have the content of its kind';
    return [{ merchantCode: MERCHANT.exec(key)?.[1], day: dayInKey(key), what: `${key} ${what}` }];
  });
}
