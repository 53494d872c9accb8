import access from 'virtual:access';
import type { BodyOf, Token } from '@postrider/client';
import { KeyRound } from 'lucide-react';
import { keys, useEnvironment } from '../api/index.ts';
import { type Columns, ListScreen, Status } from '../ui/display.ts';
import { ChangeButton, ChangeForm, moment, showSecret, text } from '../ui/input.ts';
import { CopyId, RowButton, Time } from '../ui/parts.tsx';
import { ScopeChoice } from './access/rights.tsx';
import { DEFAULT_OVERLAP, OVERLAP, overlapOf } from './channels/secrets.tsx';

/** Whether a token can be used. */
export function stateOf({ revoked_at, expires_at }: Pick<Token, 'revoked_at' | 'expires_at'>): string {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

type Listed = Pick<Token, 'id' | 'prefix' | 'last_four' | 'revoked_at' | 'expires_at' | 'last_used_at'>;

/** Columns of the tables of tokens of any kind. */
export const TOKEN_IDENTITY: Columns<Listed> = {
  State: (token) => <Status value={stateOf(token)} />,
  Token: ({ id, prefix, last_four }) => (
    <span className="stack-none">
      <code className="nowrap">{`${prefix}…${last_four}`}</code>
      <CopyId value={id} short />
    </span>
  ),
};
export const TOKEN_TIMES: Columns<Listed> = {
  'Last used': ({ last_used_at: at }) => <Time at={at} format="short" none="never" />,
  Expires: ({ expires_at: at }) => <Time at={at} format="short" none="never" />,
};

/** When a new token ends. */
export const EXPIRES = moment('expires_at', 'Expires (optional)', { hint: 'Empty: never' });

function IssueToken() {
  const { environmentId, admin } = useEnvironment();
  return (
    <ChangeForm
      title="Issue a token"
      action="Issue"
      fields={[text('name', 'Name', { required: true }), EXPIRES]}
      initial={{ scopes: access.token.defaults }}
      change={async (body) =>
        (await admin.tokens.issue(environmentId, body as unknown as BodyOf<'issueToken'>)).token
      }
      shownIn={[keys.tokens(environmentId)]}
      after={showSecret('The token was issued', 'Token')}
    >
      {({ scopes }, set) => (
        <ScopeChoice
          texts={access.token.texts}
          value={scopes as readonly string[]}
          onChange={(chosen) => set({ scopes: chosen })}
        />
      )}
    </ChangeForm>
  );
}

function RotateToken({ token }: { token: Token }) {
  const { environmentId, admin } = useEnvironment();
  return (
    <ChangeForm
      danger
      title={`Rotate ${token.name}`}
      action="Rotate the token"
      fields={[OVERLAP]}
      initial={DEFAULT_OVERLAP}
      change={async (value) => (await admin.tokens.rotate(token.id, overlapOf(value))).token}
      shownIn={[keys.tokens(environmentId)]}
      after={showSecret('The token was rotated', 'Token')}
    />
  );
}

function Actions({ token }: { token: Token }) {
  const { environmentId, admin } = useEnvironment();
  if (stateOf(token) !== 'active') return null;
  return (
    <>
      <RowButton of={token.name} operation="rotateToken" dialog={<RotateToken token={token} />}>
        Rotate
      </RowButton>
      <ChangeButton
        inRow
        label="Revoke"
        of={token.name}
        operation="revokeToken"
        action="Revoke the token"
        change={() => admin.tokens.revoke(token.id)}
        shownIn={[keys.tokens(environmentId)]}
        done="The token is revoked. It is refused everywhere within 5 seconds."
      >
        <p>Clients that use it are refused. This cannot be undone.</p>
      </ChangeButton>
    </>
  );
}

/** The tokens with which clients of the environment authenticate. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  return (
    <ListScreen
      title="Tokens"
      about="Clients of this environment authenticate with tokens. A token is shown once."
      create={{ label: 'Issue a token', operation: 'issueToken', dialog: <IssueToken /> }}
      queryKey={keys.tokens(environmentId)}
      read={(query) => admin.tokens.of(environmentId).page(query)}
      columns={{
        Name: ({ name }) => <strong className="break">{name}</strong>,
        ...TOKEN_IDENTITY,
        May: ({ scopes }) => <span className="break">{scopes.join(', ')}</span>,
        ...TOKEN_TIMES,
      }}
      actions={(token) => <Actions token={token} />}
      empty={{
        icon: KeyRound,
        title: 'No tokens yet',
        command: `npm run postrider -- tokens create --environment ${environmentId} --name backend`,
        children: 'Your product needs a token to send events.',
      }}
    />
  );
}
