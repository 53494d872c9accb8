import { type Database, openDatabase } from '@postrider/db';
import { createSecretBox, createUuidV7Source, type IdSource, type SecretBox } from '@postrider/domain';
import { readConfig } from './config.ts';

/** What every command works with. */
export interface CommandContext {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
}

/**
 * Runs a command with an open database, prints its result as one JSON document, and closes the database
 * afterwards, whatever happens.
 */
export async function withContext(run: (context: CommandContext) => Promise<object>): Promise<void> {
  const { databaseUrl, encryptionKeys } = readConfig(process.env);
  const db = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const secretBox = createSecretBox(encryptionKeys);
    const result = await run({ databaseUrl, db, newId: createUuidV7Source(), secretBox });
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await db.$disconnect();
  }
}
