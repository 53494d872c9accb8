import { Command } from 'commander';
import { type Act, examples } from '../action.ts';

/** `postrider console`: a link that opens the console signed in. */
export function consoleCommand(act: Act): Command {
  const command = new Command('console')
    .description('print a link that signs in to the console once, within 10 minutes')
    .action(
      act(async (session) => {
        const link = await session.admin().consoleLinks.create(session.call);
        const base = session.url.endsWith('/') ? session.url : `${session.url}/`;
        const url = `${new URL('console/', base).href}${link.url_fragment}`;
        session.show({ url, expires_at: link.expires_at }, () => url);
      }),
    );
  return examples(command, ['postrider --actor ada console', 'Open it as Ada.']);
}
