import { migrate } from '@postrider/db';
import { Command } from 'commander';
import { readMigrationConfig } from '../config.ts';
import { print } from '../context.ts';

/** `postrider migrate`: brings the database's schema up to date. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the schema of the database up to date; safe to run again and from several places')
    .action(async () => {
      const { databaseUrl } = readMigrationConfig(process.env);
      print({ applied: await migrate(databaseUrl) });
    });
}
