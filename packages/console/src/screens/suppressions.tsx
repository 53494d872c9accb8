import type { BodyOf } from '@postrider/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MailX, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { path } from '../api/path.ts';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { Empty, ErrorNotice, useToast } from '../ui/feedback.tsx';
import { TextField } from '../ui/form.tsx';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Confirm, Dialog } from '../ui/overlays.tsx';
import { Button, Card, CodeBlock, PageHead, Time } from '../ui/parts.tsx';
import { Tag } from '../ui/status.tsx';
import { PausedStreams } from './paused-streams.tsx';

type Suppressions = ReturnType<ReturnType<typeof useAdmin>['suppressions']['of']>;
type Suppression = Awaited<ReturnType<Suppressions['page']>>['data'][number];

/** Descriptions of the sources of suppressions. */
const SOURCES: Readonly<Record<Suppression['source'], string>> = {
  hard_bounce: 'Hard bounce',
  soft_bounce: 'Soft bounces',
  complaint: 'Complaint',
  unsubscribe: 'Unsubscribed',
  manual: 'By an operator',
  import: 'Import',
};

const scopeName = (scope: string) => (scope === 'all' ? 'everything' : scope);
/** An erased entry stays in force by its hash but has no text. */
const addressOf = ({ email }: Suppression) => email ?? 'an erased address';

function Add({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<unknown> }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [scope, setScope] = useState('');
  const [reason, setReason] = useState('');
  const [expiresAt, setExpiresAt] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const body: BodyOf<'createSuppression'> = {
        email: email.trim(),
        ...(scope.trim() && { scope: scope.trim() }),
        ...(reason.trim() && { reason: reason.trim() }),
        ...(expiresAt && { expires_at: new Date(expiresAt).toISOString() }),
      } as BodyOf<'createSuppression'>;
      await admin.suppressions.create(environmentId, body);
      await onDone();
      toast('The address is suppressed.');
      onClose();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Suppress an address"
      foot={
        <>
          <Button onClick={onClose}>Go back</Button>
          <Button type="submit" form="suppress" variant="primary" busy={busy}>
            Suppress the address
          </Button>
        </>
      }
    >
      <form id="suppress" className="stack" onSubmit={(event) => void submit(event)}>
        <Target />
        <p>Email to it fails from now on: new events, retries, schedules and replays.</p>
        <TextField
          label="Address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Stream (optional)"
          hint="Only this stream, such as newsletter. Empty: everything."
          value={scope}
          onChange={(event) => setScope(event.target.value)}
        />
        <TextField
          label="Reason (optional)"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <TextField
          label="Until (optional)"
          hint="Empty: until it is removed."
          type="datetime-local"
          value={expiresAt}
          onChange={(event) => setExpiresAt(event.target.value)}
        />
        <ErrorNotice error={error} />
      </form>
    </Dialog>
  );
}

/** Searches for one complete address. */
function Search({ email, onSearch }: { email: string; onSearch: (email: string) => void }) {
  const [text, setText] = useState(email);
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextField
          label="Address"
          type="search"
          placeholder="ada@example.com"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">Find</Button>
        {email && (
          <Button
            variant="quiet"
            onClick={() => {
              setText('');
              onSearch('');
            }}
          >
            Show all
          </Button>
        )}
      </form>
    </search>
  );
}

/** Addresses that get no email, or none of a stream. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const { email = '' } = useSearch({ strict: false }) as { email?: string };
  const admin = useAdmin();
  const toast = useToast();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Suppression | null>(null);
  const list = usePaged(['suppressions', environmentId, email], (query) =>
    admin.suppressions.of(environmentId).page({ ...query, ...(email && { email }) }),
  );
  const readAgain = () => invalidate('suppressions', environmentId);
  const columns: Column<Suppression>[] = [
    {
      name: 'Address',
      cell: (each) => <span className={each.email ? 'break' : 'muted'}>{addressOf(each)}</span>,
    },
    { name: 'Scope', cell: ({ scope }) => <Tag>{scopeName(scope)}</Tag> },
    { name: 'Source', cell: ({ source }) => SOURCES[source] },
    { name: 'Reason', cell: ({ reason }) => <span className="break">{reason ?? '–'}</span> },
    {
      name: 'Until',
      isEnd: true,
      cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} format="short" /> : 'removed'),
    },
    { name: 'Since', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
    {
      name: 'Actions',
      isEnd: true,
      cell: (each) => (
        <Button small variant="quiet" icon={Trash2} onClick={() => setRemoved(each)}>
          Remove<span className="visually-hidden"> {addressOf(each)}</span>
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHead
        title="Suppressions"
        about="Addresses that get no email: after a hard bounce, a complaint, an unsubscription, or by hand."
      >
        <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
          Suppress an address
        </Button>
      </PageHead>
      <PausedStreams />
      <Search
        key={email}
        email={email}
        onSearch={(text) =>
          void navigate({
            to: path`/e/${environmentId}/suppressions` as string,
            search: { email: text || undefined } as never,
          })
        }
      />
      <PagedTable
        label="Suppressions"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          email ? (
            <Empty icon={MailX} title="This address is not suppressed">
              Email is sent to it in every stream.
            </Empty>
          ) : (
            <Empty icon={MailX} title="No address is suppressed">
              Providers report bounces and complaints once a channel has a feedback address.
            </Empty>
          )
        }
      />
      <Card title="Import and export">
        <div className="stack">
          <p className="small muted">Import and export whole lists as CSV with the command line.</p>
          <CodeBlock
            text={`npm run postrider -- suppressions import suppressions.csv --environment ${environmentId}`}
            label="Command to import"
          />
          <CodeBlock
            text={`npm run postrider -- suppressions export --environment ${environmentId} > suppressions.csv`}
            label="Command to export"
          />
        </div>
      </Card>
      {isAdding && <Add onClose={() => setAdding(false)} onDone={readAgain} />}
      <Confirm
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Remove ${removed ? addressOf(removed) : ''}`}
        action="Remove from the list"
        target={<Target />}
        onConfirm={async () => {
          if (removed) await admin.suppressions.delete(removed.id);
          await readAgain();
          toast('The address is removed from the list.');
        }}
      >
        <p>
          It gets email again ({removed ? scopeName(removed.scope) : ''}). Providers count bounces and
          complaints against you: remove an address only if you know that it works and wants your email.
        </p>
      </Confirm>
    </>
  );
}
