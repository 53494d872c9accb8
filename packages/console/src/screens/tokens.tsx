import access from 'virtual:access';
import type { BodyOf, Token } from '@postrider/client';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/keys.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { Change, SecretChange } from '../ui/change.tsx';
import { Empty } from '../ui/feedback.tsx';
import { bind, SelectField, TextField } from '../ui/form.tsx';
import { fromLocalInput } from '../ui/format.ts';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Button, CopyId, PageHead, Time } from '../ui/parts.tsx';
import { Status } from '../ui/status.tsx';
import { ScopeChoice } from './access/rights.tsx';
import { OVERLAPS } from './channels/rotate.tsx';

/** Whether a token can be used. */
export function stateOf({ revoked_at, expires_at }: Pick<Token, 'revoked_at' | 'expires_at'>): string {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

type Listed = Pick<Token, 'id' | 'prefix' | 'last_four' | 'revoked_at' | 'expires_at' | 'last_used_at'>;

/** Columns of the tables of tokens of any kind. */
export const TOKEN_IDENTITY: readonly Column<Listed>[] = [
  { name: 'State', cell: (token) => <Status value={stateOf(token)} /> },
  {
    name: 'Token',
    cell: ({ id, prefix, last_four }) => (
      <span className="stack-none">
        <code className="nowrap">{`${prefix}…${last_four}`}</code>
        <CopyId value={id} short />
      </span>
    ),
  },
];
export const TOKEN_TIMES: readonly Column<Listed>[] = [
  {
    name: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} format="short" /> : 'never'),
  },
  {
    name: 'Expires',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} format="short" /> : 'never'),
  },
];

function IssueToken({ onClose }: { onClose: () => void }) {
  const { environmentId, admin } = useEnvironment();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(access.token.defaults);
  const issue = async () => {
    const expires_at = fromLocalInput(expires);
    const { token } = await admin.tokens.issue(environmentId, {
      name,
      scopes: scopes as NonNullable<BodyOf<'issueToken'>['scopes']>,
      ...(expires_at && { expires_at }),
    });
    return token;
  };
  return (
    <SecretChange
      danger={false}
      onClose={onClose}
      title="Issue a token"
      action="Issue"
      target={<Target />}
      change={issue}
      shownIn={[keys.tokens(environmentId)]}
      secret={{ title: 'The token was issued', label: 'Token' }}
    >
      <TextField label="Name" required {...bind(name, setName)} />
      <TextField
        label="Expires (optional)"
        type="datetime-local"
        hint="Empty: never"
        {...bind(expires, setExpires)}
      />
      <ScopeChoice texts={access.token.texts} value={scopes} onChange={setScopes} />
    </SecretChange>
  );
}

function RotateToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const { environmentId, admin } = useEnvironment();
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0][0]);
  return (
    <SecretChange
      onClose={onClose}
      title={`Rotate ${token.name}`}
      action="Rotate the token"
      target={<Target />}
      change={async () => (await admin.tokens.rotate(token.id, { overlap_seconds: Number(overlap) })).token}
      shownIn={[keys.tokens(environmentId)]}
      secret={{ title: 'The token was rotated', label: 'Token' }}
    >
      <SelectField label="Overlap" options={OVERLAPS} {...bind(overlap, setOverlap)} />
    </SecretChange>
  );
}

/** The tokens with which clients of the environment authenticate. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  const [dialog, setDialog] = useState<
    null | { type: 'issue' } | { type: 'rotate' | 'revoke'; token: Token }
  >(null);
  const list = usePaged(keys.tokens(environmentId), (query) => admin.tokens.of(environmentId).page(query));
  const close = () => setDialog(null);
  const columns: Column<Token>[] = [
    { name: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
    ...TOKEN_IDENTITY,
    { name: 'May', cell: ({ scopes }) => <span className="break">{scopes.join(', ')}</span> },
    ...TOKEN_TIMES,
    {
      name: 'Actions',
      isEnd: true,
      cell: (token) =>
        stateOf(token) === 'active' && (
          <>
            <Button
              small
              variant="quiet"
              operation="rotateToken"
              onClick={() => setDialog({ type: 'rotate', token })}
            >
              Rotate<span className="visually-hidden"> {token.name}</span>
            </Button>
            <Button
              small
              variant="quiet"
              operation="revokeToken"
              onClick={() => setDialog({ type: 'revoke', token })}
            >
              Revoke<span className="visually-hidden"> {token.name}</span>
            </Button>
          </>
        ),
    },
  ];
  return (
    <>
      <PageHead
        title="Tokens"
        about="Clients of this environment authenticate with tokens. A token is shown once."
      >
        <Button
          variant="primary"
          icon={Plus}
          operation="issueToken"
          onClick={() => setDialog({ type: 'issue' })}
        >
          Issue a token
        </Button>
      </PageHead>
      <PagedTable
        label="Tokens"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={KeyRound}
            title="There is no token yet"
            command={`npm run postrider -- tokens create --environment ${environmentId} --name backend`}
          >
            Your product needs a token to send events.
          </Empty>
        }
      />
      {dialog?.type === 'issue' && <IssueToken onClose={close} />}
      {dialog?.type === 'rotate' && <RotateToken token={dialog.token} onClose={close} />}
      {dialog?.type === 'revoke' && (
        <Change
          onClose={close}
          title={`Revoke ${dialog.token.name}`}
          action="Revoke the token"
          target={<Target />}
          change={() => admin.tokens.revoke(dialog.token.id)}
          shownIn={[keys.tokens(environmentId)]}
          done="The token is revoked. It is refused everywhere within 5 seconds."
        >
          <p>Clients that use it are refused. This cannot be undone.</p>
        </Change>
      )}
    </>
  );
}
