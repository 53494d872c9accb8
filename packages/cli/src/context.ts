import { type Database, openDatabase } from '@postrider/db';
import { createSecretBox, createUuidV7Source, type IdSource, type SecretBox } from '@postrider/domain';
import { readConfig } from './config.ts';

/** What every command works with. */
export interface CommandContext {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Writes the command's result as one JSON document. */
  readonly print: (result: object) => void;
}

/** Runs a command with an open database and closes it afterwards, whatever happens. */
export async function withContext(run: (context: CommandContext) => Promise<object>): Promise<void> {
  const { databaseUrl, encryptionKeys } = readConfig(process.env);
  const db = openDatabase(databaseUrl, { poolSize: 2 });
  const print = (result: object) => process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  try {
    const secretBox = createSecretBox(encryptionKeys);
    print(await run({ databaseUrl, db, newId: createUuidV7Source(), secretBox, print }));
  } finally {
    await db.$disconnect();
  }
}
