import * as glue from 'aws-cdk-lib/aws-glue';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { sqlName } from '../lake/lake-column.ts';
import type { LakeColumn } from '../lake/lake-column.ts';
import type { LakeTable, PartitionColumn } from '../lake/lake-table.ts';
import { glueType } from '../lake/lake-type.ts';
import { projectionOf } from '../lake/projection.ts';
import { serdeOf } from '../lake/serde.ts';
import { glueComment } from './glue-comment.ts';

export interface LakeTableProps {
  database: glue.CfnDatabase;
  table: LakeTable;
  bucket: s3.IBucket;
  /** The first day of the table, `YYYY-MM-DD`. */
  firstDay: string;
}

const PARTITION_COMMENTS: Record<PartitionColumn, string> = {
  day: "The day of the page, a date in the merchant's own zone [YYYY-MM-DD].",
  noted_on: 'The date of the marker in UTC, not the day of the page [YYYY-MM-DD].',
  merchant: 'The merchant; a query must give it as a literal.',
  year: 'The year in the name of the period [YYYY].',
  part: 'What follows the year in the name of the period [11 of a month, W47 of a week, 11-20 of a day].',
};

function glueColumn(column: LakeColumn): glue.CfnTable.ColumnProperty {
  return { name: sqlName(column), type: glueType(column.type), comment: glueComment(column) };
}

/** A table over objects of the data bucket. Its partitions are projected, so a new day needs no change. */
export class GlueLakeTable extends Construct {
  constructor(scope: Construct, id: string, { database, table, bucket, firstDay }: LakeTableProps) {
    super(scope, id);
    const url = `s3://${bucket.bucketName}/`;
    const serde = serdeOf(table);
    // The L2 construct puts the SerDe's options among the table's parameters. Athena does not look there.
    new glue.CfnTable(this, 'Table', {
      catalogId: database.catalogId,
      databaseName: database.ref,
      tableInput: {
        name: table.name,
        description: table.description,
        tableType: 'EXTERNAL_TABLE',
        parameters: { EXTERNAL: 'TRUE', ...serde.tableParameters, ...projectionOf(table, firstDay, url) },
        partitionKeys: table.partitions.map((name) => ({
          name,
          type: 'string',
          comment: PARTITION_COMMENTS[name],
        })),
        storageDescriptor: {
          location: url + table.prefix,
          columns: table.columns.map(glueColumn),
          inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
          serdeInfo: { serializationLibrary: serde.library, parameters: serde.parameters },
        },
      },
    });
  }
}
