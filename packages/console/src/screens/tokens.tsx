import type { Token } from '@postrider/client';
import { KeyRound, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { Empty, ErrorNotice, useToast } from '../ui/feedback.tsx';
import { SelectField, TextField } from '../ui/form.tsx';
import { fromLocalInput } from '../ui/format.ts';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Confirm, Dialog, KEEP_OPEN } from '../ui/overlays.tsx';
import { Button, CopyId, PageHead, Time } from '../ui/parts.tsx';
import { SecretDialog, SecretOnce } from '../ui/secret-once.tsx';
import { Status } from '../ui/status.tsx';
import { OVERLAPS } from './channels/rotate.tsx';

function stateOf({ revoked_at, expires_at }: Token): string {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

function IssueToken({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<unknown> }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      const expires_at = fromLocalInput(expires);
      const issued = await admin.tokens.issue(environmentId, { name, ...(expires_at && { expires_at }) });
      setToken(issued.token);
      await onDone();
    } catch (caught) {
      setError(caught);
    }
  };
  const foot = token ? (
    <Button onClick={onClose}>Done</Button>
  ) : (
    <Button type="submit" form="issue-token" variant="primary">
      Issue
    </Button>
  );
  return (
    <Dialog open onClose={onClose} title={token ? 'The token was issued' : 'Issue a token'} foot={foot}>
      {token ? (
        <SecretOnce value={token} label="Token" />
      ) : (
        <form id="issue-token" className="stack" onSubmit={(event) => void submit(event)}>
          <Target />
          <TextField label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
          <TextField
            label="Expires (optional)"
            type="datetime-local"
            hint="Empty: never"
            value={expires}
            onChange={(event) => setExpires(event.target.value)}
          />
          <ErrorNotice error={error} />
        </form>
      )}
    </Dialog>
  );
}

function RotateToken({
  token,
  onClose,
  onDone,
}: {
  token: Token;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const admin = useAdmin();
  const [overlap, setOverlap] = useState<string>(OVERLAPS[0][0]);
  const [issued, setIssued] = useState<string | null>(null);
  if (issued)
    return <SecretDialog title="The token was rotated" label="Token" value={issued} onClose={onClose} />;
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Rotate ${token.name}`}
      action="Rotate the token"
      target={<Target />}
      onConfirm={async () => {
        const rotated = await admin.tokens.rotate(token.id, { overlap_seconds: Number(overlap) });
        setIssued(rotated.token);
        await onDone();
        return KEEP_OPEN;
      }}
    >
      <SelectField
        label="Overlap"
        options={OVERLAPS}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </Confirm>
  );
}

/** The tokens with which clients of the environment authenticate. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [dialog, setDialog] = useState<
    null | { type: 'issue' } | { type: 'rotate' | 'revoke'; token: Token }
  >(null);
  const list = usePaged(['tokens', environmentId], (query) => admin.tokens.of(environmentId).page(query));
  const close = () => setDialog(null);
  const readAgain = () => invalidate('tokens', environmentId);
  const columns: Column<Token>[] = [
    { name: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
    { name: 'State', cell: (token) => <Status value={stateOf(token)} /> },
    { name: 'Token', cell: ({ prefix, last_four }) => <code>{`${prefix}…${last_four}`}</code> },
    { name: 'Id', cell: ({ id }) => <CopyId value={id} short /> },
    {
      name: 'Last used',
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} format="short" /> : 'never'),
    },
    {
      name: 'Expires',
      cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} format="short" /> : 'never'),
    },
    {
      name: 'Actions',
      isEnd: true,
      cell: (token) =>
        stateOf(token) === 'active' && (
          <>
            <Button small variant="quiet" onClick={() => setDialog({ type: 'rotate', token })}>
              Rotate<span className="visually-hidden"> {token.name}</span>
            </Button>
            <Button small variant="quiet" onClick={() => setDialog({ type: 'revoke', token })}>
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
        <Button variant="primary" icon={Plus} onClick={() => setDialog({ type: 'issue' })}>
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
      {dialog?.type === 'issue' && <IssueToken onClose={close} onDone={readAgain} />}
      {dialog?.type === 'rotate' && <RotateToken token={dialog.token} onClose={close} onDone={readAgain} />}
      {dialog?.type === 'revoke' && (
        <Confirm
          open
          onClose={close}
          title={`Revoke ${dialog.token.name}`}
          action="Revoke the token"
          target={<Target />}
          onConfirm={async () => {
            await admin.tokens.revoke(dialog.token.id);
            await readAgain();
            toast('The token is revoked. It is refused everywhere within 5 seconds.');
          }}
        >
          <p>Clients that use it are refused. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}
