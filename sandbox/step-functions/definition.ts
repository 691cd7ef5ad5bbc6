import * as z from 'zod';

/** A state of a machine, with the members that are used here. Written out, because the type contains itself. */
export interface State {
  [member: string]: unknown;
  Type: string;
  Next?: string | undefined;
  End?: boolean | undefined;
  Retry?: Record<string, unknown>[] | undefined;
  ItemProcessor?: ItemProcessor | undefined;
  /** Of a Parallel. */
  Branches?: Branch[] | undefined;
}

interface Branch {
  [member: string]: unknown;
  StartAt: string;
  States: Record<string, State>;
}

interface ItemProcessor {
  [member: string]: unknown;
  StartAt: string;
  States: Record<string, State>;
  ProcessorConfig: { [member: string]: unknown; Mode: string; ExecutionType?: string | undefined };
}

const stateSchema: z.ZodType<State> = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  End: z.boolean().optional(),
  Retry: z.array(z.record(z.string(), z.unknown())).optional(),
  get ItemProcessor() {
    return z
      .looseObject({
        StartAt: z.string(),
        States: z.record(z.string(), stateSchema),
        ProcessorConfig: z.looseObject({ Mode: z.string(), ExecutionType: z.string().optional() }),
      })
      .optional();
  },
  get Branches() {
    return z
      .array(z.looseObject({ StartAt: z.string(), States: z.record(z.string(), stateSchema) }))
      .optional();
  },
});

/** A definition in the Amazon States Language. */
export const definitionSchema = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), stateSchema),
});
export type Definition = z.infer<typeof definitionSchema>;

const distributedMapSchema = z.looseObject({
  Type: z.literal('Map'),
  Label: z.string(),
  MaxConcurrency: z.int().optional(),
  MaxConcurrencyPath: z.string().optional(),
  ToleratedFailurePercentage: z.number(),
  ItemReader: z.looseObject({ Parameters: z.looseObject({ 'Key.$': z.string() }) }),
  ItemBatcher: z.looseObject({ MaxItemsPerBatch: z.int() }).optional(),
  ResultWriter: z.looseObject({ Parameters: z.looseObject({ Bucket: z.string(), Prefix: z.string() }) }),
  ItemProcessor: definitionSchema.extend({
    ProcessorConfig: z.looseObject({ Mode: z.literal('DISTRIBUTED') }),
  }),
});
export type DistributedMap = z.infer<typeof distributedMapSchema>;

/** The state as a Distributed Map; `undefined` for any other state. */
export function asDistributedMap(state: State): DistributedMap | undefined {
  return distributedMapSchema.safeParse(state).data;
}
