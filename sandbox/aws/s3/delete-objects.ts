import * as z from 'zod';
import { ServiceError } from '../service.ts';
import type { Answer } from '../service.ts';
import { checkWrite } from './conditions.ts';
import type { ObjectFiles } from './files/object-files.ts';
import type { S3Request } from './request.ts';
import { xmlAnswer } from './xml/xml-answer.ts';
import { receiveXml } from './xml/xml-request.ts';

const deleteDocument = z.object({
  Delete: z.object({
    Object: z.array(z.object({ Key: z.string().min(1), ETag: z.string().optional() })).max(1000),
    Quiet: z.stringbool().optional(),
  }),
});

/** Deletes up to 1,000 keys. The answer has status 200 and lists the failures. */
export async function deleteObjects(files: ObjectFiles, { message, bucket }: S3Request): Promise<Answer> {
  const { Delete } = await receiveXml(message, deleteDocument);
  const outcomes = Delete.Object.map(({ Key, ETag }) => {
    try {
      checkWrite({ 'if-match': ETag }, Key, files.find(bucket, Key));
      files.remove(bucket, Key);
      return { deleted: { Key } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { failed: { Key, Code: error.code, Message: error.message } };
    }
  });
  return xmlAnswer('DeleteResult', {
    Deleted: Delete.Quiet === true ? [] : outcomes.map(({ deleted }) => deleted),
    Error: outcomes.map(({ failed }) => failed),
  });
}
