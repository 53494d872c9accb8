import { Command } from 'commander';
import type { Act } from '../action.ts';
import { readMigrationConfig } from '../config.ts';
import { examples } from '../help.ts';
import { UsageError } from '../usage-error.ts';

/**
 * `postrider migrate`: brings the database's schema up to date; the one command that works without the API.
 */
export function migrateCommand(act: Act): Command {
  const command = new Command('migrate')
    .description(
      'bring the schema of the database at DATABASE_URL up to date (at DATABASE_DIRECT_URL, past PgBouncer, where that is given); safe to run again and ' +
        'from several places',
    )
    .action(
      act(async (session) => {
        const { databaseUrl } = readMigrationConfig(session.io.env);
        // Loaded here: no other command needs the database's client, which takes longer to load than all the
        // rest.
        const { isDatabaseUnreachable, migrate } = await import('@postrider/db');
        try {
          const applied = await migrate(databaseUrl);
          session.show({ applied }, () =>
            applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`,
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
