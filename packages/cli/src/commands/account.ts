import { Command } from 'commander';
import type { Act } from '../action.ts';
import { record } from '../output/table.ts';

/** `postrider usage` and `postrider limits`: the account that the token's environment belongs to. */
export function accountCommands(act: Act): Command[] {
  const usage = new Command('usage')
    .description('show the tenant’s usage in this calendar month')
    .action(act(async (session) => session.show(await session.postrider().usage(session.call), record)));
  const limits = new Command('limits')
    .description('show the limits of the tenant’s plan')
    .action(act(async (session) => session.show(await session.postrider().limits(session.call), record)));
  return [usage, limits];
}
