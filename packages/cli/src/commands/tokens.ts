import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { record } from '../output/table.ts';
import { listOfEnvironment } from '../standard-commands.ts';
import { given, list, wholeNumber } from '../values.ts';

const COLUMNS = [
  'id',
  'name',
  'prefix',
  'last_four',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
];

/** Printed next to the token. */
const SHOWN_ONCE = 'The token is not shown again: store it with your secrets.';

interface CreateOptions {
  readonly environment: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly scopes?: string[];
}

/** The service validates the scopes. */
type TokenScopes = 'ignore_suppression'[] | undefined;

function createCommand(act: Act): Command {
  const command = new Command('create')
    .description('issue a token of an environment; it is shown only once')
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it expires; never by default')
    .option('--scopes <scopes>', 'additional scopes, separated by commas, such as ignore_suppression', list)
    .action(
      act(async (session, options: CreateOptions) => {
        const { environment, name, expiresAt, scopes } = options;
        const body = { name, ...given({ expires_at: expiresAt, scopes: scopes as TokenScopes }) };
        session.show(await session.admin().tokens.issue(environment, body, session.call), record);
        session.note(SHOWN_ONCE);
      }),
    );
  return examples(
    command,
    ['postrider tokens create --environment env_01… --name backend', 'For a program.'],
    [
      'export POSTRIDER_TOKEN=$(postrider tokens create --environment env_01… --name me --json ' +
        '| jq -r .token)',
      'For this shell.',
    ],
  );
}

function rotateCommand(act: Act): Command {
  const command = new Command('rotate')
    .description('issue a successor; the old token stays valid during the overlap')
    .argument('<token>', 'the id of the token, tok_…')
    .option('--overlap-seconds <n>', 'how long the old token stays valid (86400)', wholeNumber)
    .action(
      act(async (session, id: string, { overlapSeconds }: { overlapSeconds?: number }) => {
        const body = given({ overlap_seconds: overlapSeconds });
        session.show(await session.admin().tokens.rotate(id, body, session.call), record);
        session.note(SHOWN_ONCE);
      }),
    );
  return examples(command, [
    'postrider tokens rotate tok_01… --overlap-seconds 3600',
    'Give clients an hour to switch.',
  ]);
}

/** `postrider tokens`: the tokens with which clients of an environment authenticate. */
export function tokensCommand(act: Act): Command {
  const listAll = listOfEnvironment(
    act,
    'the tokens of an environment, newest first, without the tokens themselves',
    COLUMNS,
    (session, id) => session.admin().tokens.of(id),
  );
  const revoke = new Command('revoke')
    .description('revoke a token; every API process refuses it within 5 seconds')
    .argument('<token>', 'the id of the token, tok_…')
    .action(
      act(async (session, id: string) => {
        await session.admin().tokens.revoke(id, session.call);
        session.show({ id, revoked: true }, () => `revoked ${id}`);
      }),
    );
  return new Command('tokens')
    .description('tokens of an environment’s clients')
    .addCommand(listAll)
    .addCommand(createCommand(act))
    .addCommand(rotateCommand(act))
    .addCommand(revoke);
}
