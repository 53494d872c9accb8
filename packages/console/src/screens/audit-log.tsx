import type { AuditEntry } from '@postrider/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileClock } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { keys, useAdmin } from '../api/index.ts';
import { useShow } from '../ui/dialogs.tsx';
import { ListScreen, useRead } from '../ui/display.ts';
import { bind, SelectField, TextField } from '../ui/input.ts';
import { Dialog } from '../ui/overlays.tsx';
import { Button, CopyId, Facts, Loading, May, Time } from '../ui/parts.tsx';

const Diff = lazy(() => import('../ui/diff.tsx'));

const TYPES = [
  'plan',
  'tenant',
  'environment',
  'token',
  'channel',
  'template',
  'event_type',
  'stream',
  'replay_batch',
  'erasure',
  'secrets',
] as const;
const FILTERS = ['resource_type', 'resource_id', 'actor', 'action', 'tenant_id', 'environment_id'] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** How the actor proved who it is. */
const KINDS: Readonly<Record<NonNullable<AuditEntry['actor_kind']> | 'unknown', string>> = {
  admin_token: 'admin token, name not verified',
  operator: 'operator',
  operator_token: 'operator token',
  environment_token: 'environment token',
  consumer_token: 'token of a consumer',
  service: 'the service itself',
  unknown: 'not recorded',
};

/** The end of the hash chain, to compare or to note. */
function Chain() {
  const admin = useAdmin();
  const [data] = useRead(keys.auditChain(), () => admin.auditLog.chain());
  if (!data) return null;
  const { head, waiting } = data;
  return (
    <Facts
      items={{
        'Hash chain': head ? <CopyId value={`${head.sequence}:${head.hash}`} short /> : 'empty',
        'Waiting for it': waiting > 0 && String(waiting),
        'Check it': <code>npm run postrider -- audit verify</code>,
      }}
    />
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <Dialog wide title={`${entry.action} by ${entry.actor}`}>
      <Facts
        items={{
          When: <Time at={entry.created_at} />,
          Who: `${entry.actor} (${KINDS[entry.actor_kind ?? 'unknown']})`,
          With: entry.credential && <CopyId value={entry.credential} />,
          From: entry.address,
          Reason: entry.reason,
          Resource: <CopyId value={entry.resource_id} />,
          'Request id': entry.request_id && <CopyId value={entry.request_id} />,
          Trace: entry.trace_id && <CopyId value={entry.trace_id} />,
        }}
      />
      <Suspense fallback={<Loading />}>
        <Diff before={entry.before} after={entry.after} label="Before and after" />
      </Suspense>
    </Dialog>
  );
}

/** Every change of the configuration, and who made it. */
export function Screen() {
  const admin = useAdmin();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const filters = useMemo(
    (): Filters =>
      Object.fromEntries(FILTERS.flatMap((name) => (search[name] ? [[name, search[name]]] : []))),
    [search],
  );
  const show = useShow();
  const change = (name: (typeof FILTERS)[number], value: string) =>
    void navigate({ to: '.', search: { ...filters, [name]: value || undefined }, replace: true });
  return (
    <ListScreen
      title="Audit log"
      about="All configuration changes, newest first, with the values before and after."
      queryKey={keys.auditLog(filters)}
      read={(query) => admin.auditLog.page({ ...query, ...(filters as object) })}
      onOpen={(entry) => show(<Entry entry={entry} />)}
      columns={{
        When: ({ created_at }) => <Time at={created_at} format="short" />,
        Who: ({ actor }) => <strong className="break">{actor}</strong>,
        As: ({ actor_kind: kind }) => KINDS[kind ?? 'unknown'],
        What: (entry) => (
          <Button small variant="quiet" dialog={<Entry entry={entry} />}>
            {entry.action}
          </Button>
        ),
        Resource: ({ resource_id }) => <CopyId value={resource_id} />,
      }}
      empty={{
        icon: FileClock,
        title: 'No change matches',
        command: 'npm run postrider -- audit-log',
        children: 'Changes to plans, tenants, channels, templates and tokens are listed here.',
      }}
    >
      <May operation="getAuditChain">
        <Chain />
      </May>
      <div className="filters">
        <SelectField
          label="Kind"
          any="Any"
          options={TYPES}
          {...bind(filters.resource_type ?? '', (type) => change('resource_type', type))}
        />
        {(['actor', 'resource_id'] as const).map((name) => (
          <TextField
            key={`${name} ${filters[name]}`}
            label={name === 'actor' ? 'Who' : 'Resource id'}
            defaultValue={filters[name] ?? ''}
            onBlur={(event) =>
              event.target.value !== (filters[name] ?? '') && change(name, event.target.value)
            }
            onKeyDown={(event) => event.key === 'Enter' && change(name, event.currentTarget.value)}
          />
        ))}
      </div>
    </ListScreen>
  );
}
