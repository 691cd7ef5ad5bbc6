import * as glue from 'aws-cdk-lib/aws-glue';
import { Construct } from 'constructs';
import { glueViewType } from '../lake/lake-view.ts';
import type { LakeView } from '../lake/lake-view.ts';
import { prestoView } from '../lake/presto-view.ts';
import { glueComment } from './glue-comment.ts';

export interface LakeViewProps {
  database: glue.CfnDatabase;
  databaseName: string;
  view: LakeView;
}

/** A view in the form in which Athena itself writes it into Glue, so that it exists after the deploy. */
export class GlueLakeView extends Construct {
  constructor(scope: Construct, id: string, { database, databaseName, view }: LakeViewProps) {
    super(scope, id);
    new glue.CfnTable(this, 'View', {
      catalogId: database.catalogId,
      databaseName: database.ref,
      tableInput: {
        name: view.name,
        description: view.description,
        tableType: 'VIRTUAL_VIEW',
        parameters: { presto_view: 'true', comment: 'Presto View' },
        partitionKeys: [],
        viewOriginalText: prestoView(view, databaseName),
        viewExpandedText: '/* Presto View */',
        storageDescriptor: {
          columns: view.columns.map((column) => ({
            name: column.name,
            type: glueViewType(column.type),
            comment: glueComment(column),
          })),
          // It has no meaning, but Athena refuses a view without it.
          serdeInfo: { name: '-', serializationLibrary: '-' },
        },
      },
    });
  }
}
