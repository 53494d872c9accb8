import type { SessionCommand } from '../command.ts';
import { urlOf } from '../session.ts';
import { given } from '../values.ts';

/** `postrider console`: a link that opens the console signed in. */
export function addConsole(program: SessionCommand): void {
  program
    .add('console', 'print a link that signs in to the console once, within 10 minutes')
    .option('--operator <id>', 'for this operator, opr_…, instead of for yourself')
    .examples({
      'postrider --actor ada console': 'Open it as Ada.',
      'postrider console --operator opr_…': 'Give an operator a first sign-in.',
    })
    .runs(async (session, { operator: operator_id }: { operator?: string }) => {
      const link = await session.admin().consoleLinks.create(given({ operator_id }), session.call);
      const url = `${urlOf(session, 'console/').href}${link.url_fragment}`;
      session.show({ url, expires_at: link.expires_at }, () => url);
    });
}
