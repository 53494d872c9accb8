import { bytes, type Database, type Queryable } from './client.ts';
import { readInEnvironments } from './transactions/transaction.ts';

/** Identifies a file of a message. Files are numbered from 1. Ids are UUIDs. */
export interface FileKey {
  readonly environmentId: string;
  readonly messageId: string;
  readonly number: number;
}

/** Stores the files of a message, in the transaction that stores the message. */
export async function storeFiles(
  tx: Queryable,
  { environmentId, messageId }: Omit<FileKey, 'number'>,
  files: readonly Uint8Array[],
): Promise<void> {
  for (const [index, content] of files.entries()) {
    const row = { environmentId, messageId, number: index + 1, content: bytes(content) };
    await tx.messageFile.createMany({ data: [row] });
  }
}

/** The bytes of a file. Null if there is no such file, or if its message was erased. */
export async function readMessageFile(db: Database, key: FileKey): Promise<Buffer | null> {
  const [row] = await readInEnvironments(db, [key.environmentId], (tx) =>
    tx.messageFile.findMany({ where: key, select: { content: true } }),
  );
  return row ? Buffer.from(row.content) : null;
}
