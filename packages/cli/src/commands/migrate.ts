import { databaseDirectUrl, databaseUrl, readEnvironment } from '@postrider/config';
import { isPooledDatabase } from '@postrider/domain';
import type { SessionCommand } from '../command.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';

/**
 * The address of the database to migrate, without PgBouncer, because a migration needs its own session. Throws one error that
 * reports every issue and shows no value.
 */
function databaseToMigrate(environment: Readonly<Record<string, string | undefined>>): string {
  const result = readEnvironment({ databaseUrl, databaseDirectUrl }, environment);
  if (!result.ok) throw new UsageError(...result.issues);
  const { config } = result;
  if (config.databaseDirectUrl !== null) return config.databaseDirectUrl;
  if (isPooledDatabase(config.databaseUrl)) {
    throw new UsageError('DATABASE_DIRECT_URL is required: migrations do not work through PgBouncer');
  }
  return config.databaseUrl;
}

const TO_FINISH =
  'When no process of the previous release is running any more, run "postrider migrate --finish" to drop indexes that only that release uses.';

/** `postrider migrate`: migrates the database's schema. The only command that works without the API. */
export function addMigrate(program: SessionCommand): void {
  program
    .add(
      'migrate',
      'bring the schema of the database at DATABASE_URL up to date (at DATABASE_DIRECT_URL, without PgBouncer, if that is set); safe to run again and ' +
        'from several places',
    )
    .option(
      '--finish',
      'also drop the indexes that only the previous release uses; run it when none of its processes is running any more',
    )
    .examples({
      'DATABASE_URL=postgresql://… postrider migrate': 'Before the first start and before each upgrade.',
    })
    .runs(async (session, { finish = false }: { finish?: boolean }) => {
      const url = databaseToMigrate(session.io.env);
      // Loaded lazily: no other command needs the database client, which takes longer to load than everything else.
      const { describeOutage, MigrationError, migrate, supersededIndexes } = await import('@postrider/db');
      try {
        const applied = await migrate(url, { finish });
        const superseded = await supersededIndexes(url);
        session.show({ applied, superseded }, () =>
          [
            applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`,
            ...(superseded.length === 0 ? [] : [TO_FINISH]),
          ].join('\n'),
        );
      } catch (error) {
        if (error instanceof MigrationError) throw new Unsuccessful(error.message);
        const outage = describeOutage(error);
        if (outage === null) throw error;
        throw new Unsuccessful(
          `The database cannot be migrated (${outage}): check that it runs, and DATABASE_URL, or DATABASE_DIRECT_URL if that is set.`,
        );
      }
    });
}
