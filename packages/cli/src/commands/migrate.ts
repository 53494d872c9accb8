import { databaseDirectUrl, databaseUrl, readEnvironment } from '@postrider/config';
import { isPooledDatabase } from '@postrider/domain';
import { Command, Option } from 'commander';
import { type Act, examples } from '../action.ts';
import { UsageError } from '../exit-codes.ts';

/**
 * The database to migrate: a migration needs a session of its own, so that it goes past PgBouncer. Throws one
 * error that reports every issue and shows no value.
 */
function readMigrationConfig(environment: Readonly<Record<string, string | undefined>>): {
  databaseUrl: string;
} {
  const result = readEnvironment({ databaseUrl, databaseDirectUrl }, environment);
  if (!result.ok) throw new UsageError(...result.issues);
  const { config } = result;
  if (config.databaseDirectUrl !== null) return { databaseUrl: config.databaseDirectUrl };
  if (isPooledDatabase(config.databaseUrl)) {
    throw new UsageError('DATABASE_DIRECT_URL is required: no migration goes through PgBouncer');
  }
  return { databaseUrl: config.databaseUrl };
}

const TO_FINISH =
  'When no process of the previous release runs any more, run "postrider migrate --finish": it drops indexes that only that one uses.';

/**
 * `postrider migrate`: brings the database's schema up to date; the one command that works without the API.
 */
export function migrateCommand(act: Act): Command {
  const command = new Command('migrate')
    .description(
      'bring the schema of the database at DATABASE_URL up to date (at DATABASE_DIRECT_URL, past PgBouncer, where that is given); safe to run again and ' +
        'from several places',
    )
    .addOption(
      new Option(
        '--finish',
        'also drop the indexes that only the previous release uses; run it when none of its processes runs any more',
      ),
    )
    .action(
      act(async (session, { finish = false }: { finish?: boolean }) => {
        const { databaseUrl } = readMigrationConfig(session.io.env);
        // Loaded here: no other command needs the database's client, which takes longer to load than all the
        // rest.
        const { isDatabaseUnreachable, migrate, supersededIndexes } = await import('@postrider/db');
        try {
          const applied = await migrate(databaseUrl, { finish });
          const superseded = await supersededIndexes(databaseUrl);
          session.show({ applied, superseded }, () =>
            [
              applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`,
              ...(superseded.length === 0 ? [] : [TO_FINISH]),
            ].join('\n'),
          );
        } catch (error) {
          if (!isDatabaseUnreachable(error)) throw error;
          throw new UsageError(
            'The database cannot be reached: see DATABASE_URL, and DATABASE_DIRECT_URL where it is given.',
          );
        }
      }),
    );
  return examples(command, [
    'DATABASE_URL=postgresql://… postrider migrate',
    'Before the first start and each release.',
  ]);
}
