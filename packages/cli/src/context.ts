import { type Database, openDatabase } from '@postrider/db';
import { createSecretBox, createUuidV7Source, type IdSource, type SecretBox } from '@postrider/domain';
import { readConfig } from './config.ts';

/** What every command works with. */
export interface CommandContext {
  readonly db: Database;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** From the environment; undefined when it is not set. */
  readonly smtpPassword: string | undefined;
}

/** Prints a command's result as one JSON document. */
export function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

/**
 * Runs a command with an open database, prints its result as one JSON document, and closes the database
 * afterwards, whatever happens.
 */
export async function withContext(run: (context: CommandContext) => Promise<object>): Promise<void> {
  const { databaseUrl, encryptionKeys, smtpPassword } = readConfig(process.env);
  const db = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const secretBox = createSecretBox(encryptionKeys);
    print(await run({ db, newId: createUuidV7Source(), secretBox, smtpPassword }));
  } finally {
    await db.$disconnect();
  }
}
