import { createWriteStream, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { receiveBody } from '../body.ts';
import type { ReceivedBody } from '../body.ts';
import type { ObjectFiles } from '../files/object-files.ts';

/**
 * Streams a request's payload to a file and passes it to `use`, which may move the file. Otherwise it is removed afterwards.
 * @throws ServiceError as `receiveBody` and `use` do
 */
export async function receiveFile<T>(
  files: ObjectFiles,
  message: IncomingMessage,
  use: (path: string, body: ReceivedBody) => T,
): Promise<T> {
  const path = files.incomingPath();
  try {
    return use(path, await receiveBody(message, createWriteStream(path)));
  } finally {
    rmSync(path, { force: true });
  }
}
