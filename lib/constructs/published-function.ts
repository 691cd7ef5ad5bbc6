import type * as lambda from 'aws-cdk-lib/aws-lambda';

/** A function at one published version. */
export interface PublishedFunction {
  function: lambda.IFunction;
  /** The code and settings that never change. An execution calls them from its first state to its last. */
  version: lambda.IFunction;
  /** Another text whenever there is another version. */
  code: string;
}
