import { databaseErrorCodes, isDatabaseUnreachable } from '@postrider/db';
import { Command } from 'commander';
import { channelsCommand } from './commands/channels.ts';
import { environmentsCommand } from './commands/environments.ts';
import { eventTypesCommand } from './commands/event-types.ts';
import { migrateCommand } from './commands/migrate.ts';
import { plansCommand } from './commands/plans.ts';
import { templatesCommand } from './commands/templates.ts';
import { tenantsCommand } from './commands/tenants.ts';
import { tokensCommand } from './commands/tokens.ts';
import { UsageError } from './usage-error.ts';

/** What to say of an error that is no fault of the program; null when it is one. */
function explain(error: unknown): string | null {
  if (error instanceof UsageError) return error.message;
  if (isDatabaseUnreachable(error)) return 'The database at DATABASE_URL cannot be reached.';
  const codes = databaseErrorCodes(error);
  if (codes.includes('P2003') || codes.includes('P2025')) {
    return 'What the command refers to (plan, tenant or environment) does not exist.';
  }
  if (codes.includes('P2002')) return 'One of this name exists already.';
  if (codes.includes('P2021')) return 'The database has no schema yet: run "postrider migrate" first.';
  if (codes.includes('ENOENT')) return `There is no such file: ${(error as { path?: string }).path ?? ''}`;
  return null;
}

const program = new Command('postrider')
  .description('sets up a Postrider installation; reads DATABASE_URL and ENCRYPTION_KEYS')
  .addCommand(migrateCommand())
  .addCommand(plansCommand())
  .addCommand(tenantsCommand())
  .addCommand(environmentsCommand())
  .addCommand(tokensCommand())
  .addCommand(channelsCommand())
  .addCommand(templatesCommand())
  .addCommand(eventTypesCommand());

try {
  await program.parseAsync();
} catch (error) {
  const explanation = explain(error);
  process.stderr.write(`${explanation ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exitCode = 1;
}
