import type { SessionCommand } from '../command.ts';
import { record } from '../output/table.ts';

/** `postrider usage` and `postrider limits`: the account that the token's environment belongs to. */
export function addAccount(program: SessionCommand): void {
  program
    .add('usage', 'show the tenant’s usage in this calendar month')
    .runs(async (session) => session.show(await session.postrider().usage(session.call), record));
  program
    .add('limits', 'show the limits of the tenant’s plan')
    .runs(async (session) => session.show(await session.postrider().limits(session.call), record));
}
