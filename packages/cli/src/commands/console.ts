import { Command } from 'commander';
import { type Act, examples } from '../action.ts';

/** `postrider console`: a link that opens the console signed in. */
export function consoleCommand(act: Act): Command {
  const command = new Command('console')
    .description('print a link that signs in to the console once, within 10 minutes')
    .option('--operator <id>', 'for this operator, opr_…, instead of for yourself')
    .action(
      act(async (session, { operator }: { operator?: string }) => {
        const link = await session
          .admin()
          .consoleLinks.create({ ...(operator !== undefined && { operator_id: operator }) }, session.call);
        const base = session.url.endsWith('/') ? session.url : `${session.url}/`;
        const url = `${new URL('console/', base).href}${link.url_fragment}`;
        session.show({ url, expires_at: link.expires_at }, () => url);
      }),
    );
  return examples(command, {
    'postrider --actor ada console': 'Open it as Ada.',
    'postrider console --operator opr_…': 'Give an operator a first sign-in.',
  });
}
