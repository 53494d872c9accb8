import type { ErrorCode, MessageSearchQuery } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { FilterX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAdmin } from '../../api/session.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { Button, May } from '../../ui/parts.tsx';

const MESSAGE_STATUSES = [
  'pending',
  'delivered',
  'partially_delivered',
  'failed',
  'cancelled',
  'unrouted',
] as const;
const RUN_STATUSES = [
  'scheduled',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
] as const;
const ATTEMPT_ERRORS = [
  'smtp_permanent_rejection',
  'smtp_temporary_rejection',
  'smtp_connection_failed',
  'smtp_auth_failed',
  'smtp_sender_refused',
  'smtp_outcome_unknown',
  'email_permanent_rejection',
  'email_temporary_rejection',
  'email_connection_failed',
  'email_auth_failed',
  'email_outcome_unknown',
  'email_not_composed',
  'recipient_suppressed',
  'webhook_http_error',
  'webhook_timeout',
  'webhook_connection_failed',
  'webhook_dns_failed',
  'webhook_tls_failed',
  'webhook_redirect_refused',
  'webhook_address_blocked',
  'webhook_endpoint_gone',
  'template_render_failed',
  'channel_disabled',
  'scheduled_cancelled',
  'worker_lost',
] as const;

/** The names of the filters in the URL, the same as in the API. */
const PUBLIC_FILTERS = ['event_key', 'status', 'recipient_email', 'created_after', 'created_before'] as const;
const OPERATOR_FILTERS = [
  ...PUBLIC_FILTERS,
  'run_status',
  'channel_id',
  'channel_kind',
  'error_code',
] as const;

export type Filters = Partial<Record<(typeof OPERATOR_FILTERS)[number], string>>;

/** The filters in a URL. Filters that this role does not have are left out. */
export function filtersOf(
  search: Readonly<Record<string, string | undefined>>,
  isOperator: boolean,
): Filters {
  const names = isOperator ? OPERATOR_FILTERS : PUBLIC_FILTERS;
  return Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
}

export const toQuery = (filters: Filters) => filters as MessageSearchQuery & { error_code?: ErrorCode };

function ChannelSelect({
  environmentId,
  value,
  onChange,
}: {
  environmentId: string;
  value: string;
  onChange: (id: string) => void;
}) {
  const admin = useAdmin();
  const { data } = useQuery({
    queryKey: ['channels', environmentId],
    queryFn: () => admin.channels.of(environmentId).page({ limit: 100 }),
  });
  const options = (data?.data ?? []).map(({ id, name, kind }) => [id, `${name} (${kind})`] as const);
  return (
    <SelectField
      label="Channel"
      any="Any"
      options={value && !options.some(([id]) => id === value) ? [...options, [value, value]] : options}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The filters of the list. Choices apply at once, text when it is entered. */
export function FilterBar({
  filters,
  onChange,
  environmentId,
  isOperator,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
  environmentId: string;
  isOperator: boolean;
}) {
  const [draft, setDraft] = useState<Filters>(filters);
  const set = (change: Filters) => setDraft({ ...draft, ...change });
  const choose = (change: Filters) => {
    const next = { ...draft, ...change };
    setDraft(next);
    onChange(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(draft);
  };
  const moment = (name: 'created_after' | 'created_before', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={toLocalInput(draft[name])}
      onChange={(event) => choose({ [name]: fromLocalInput(event.target.value) })}
    />
  );
  return (
    <form className="filters" onSubmit={submit} aria-label="Filters">
      <May operation="getEnvironmentDeliveryContent">
        <TextField
          label="Recipient"
          placeholder="ada@example.com"
          value={draft.recipient_email ?? ''}
          onChange={(event) => set({ recipient_email: event.target.value })}
          onBlur={() => draft.recipient_email !== filters.recipient_email && onChange(draft)}
        />
      </May>
      <TextField
        label="Event key"
        placeholder="order.shipped"
        value={draft.event_key ?? ''}
        onChange={(event) => set({ event_key: event.target.value })}
        onBlur={() => draft.event_key !== filters.event_key && onChange(draft)}
      />
      <SelectField
        label="Status"
        any="Any"
        options={MESSAGE_STATUSES}
        value={draft.status ?? ''}
        onChange={(event) => choose({ status: event.target.value })}
      />
      {isOperator && (
        <>
          <May operation="listChannels">
            <ChannelSelect
              environmentId={environmentId}
              value={draft.channel_id ?? ''}
              onChange={(channel_id) => choose({ channel_id })}
            />
          </May>
          <SelectField
            label="Error"
            any="Any"
            options={ATTEMPT_ERRORS}
            value={draft.error_code ?? ''}
            onChange={(event) => choose({ error_code: event.target.value })}
          />
          <SelectField
            label="Delivery"
            any="Any"
            options={RUN_STATUSES}
            value={draft.run_status ?? ''}
            onChange={(event) => choose({ run_status: event.target.value })}
          />
        </>
      )}
      {moment('created_after', 'From')}
      {moment('created_before', 'To')}
      <Button type="submit" className="visually-hidden" tabIndex={-1}>
        Apply
      </Button>
      {Object.values(filters).some(Boolean) && (
        <Button
          variant="quiet"
          icon={FilterX}
          onClick={() => {
            setDraft({});
            onChange({});
          }}
        >
          Clear filters
        </Button>
      )}
    </form>
  );
}
