import { ERROR_NAMES, type ErrorCode, type MessageSearchQuery } from '@postrider/client';
import { ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { HOUR_MS } from '../../api/scope.ts';
import { bind, SelectField, TextField } from '../../ui/form.tsx';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { Button, May } from '../../ui/parts.tsx';
import { FilterChips, useChannelNames } from './filter-chips.tsx';

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
const ATTEMPT_ERRORS = Object.entries(ERROR_NAMES).sort(([, a], [, b]) => a.localeCompare(b));

/** The names of the filters in the URL, the same as in the API. */
const PUBLIC_FILTERS = [
  ...(['event_key', 'status', 'recipient_email', 'consumer', 'created_after', 'created_before'] as const),
];
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
  const channels = useChannelNames(environmentId, true);
  const options = [...channels].map(([id, name]) => [id, name] as const);
  return (
    <SelectField
      label="Channel"
      any="Any"
      options={value && !channels.has(value) ? [...options, [value, value]] : options}
      {...bind(value, onChange)}
    />
  );
}

const QUICK_RANGES = [
  ['Last hour', HOUR_MS],
  ['24 hours', 24 * HOUR_MS],
  ['7 days', 7 * 24 * HOUR_MS],
  ['30 days', 30 * 24 * HOUR_MS],
] as const;

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
  // Open where there is room; the browser keeps what the user chose.
  const [isWide] = useState(() => matchMedia('(min-width: 700px)').matches);
  const count = Object.values(filters).filter(Boolean).length;
  return (
    <div className="stack-tight">
      <details className="filter-fields" open={isWide}>
        <summary>
          <ChevronRight className="icon" aria-hidden="true" />
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </summary>
        <form className="filters" onSubmit={submit} aria-label="Filters">
          <May operation="getEnvironmentDeliveryContent">
            <TextField
              label="Recipient"
              placeholder="ada@…"
              {...bind(draft.recipient_email ?? '', (recipient_email) => set({ recipient_email }))}
              onBlur={() => draft.recipient_email !== filters.recipient_email && onChange(draft)}
            />
          </May>
          <TextField
            label="Event key"
            placeholder="order.shipped"
            {...bind(draft.event_key ?? '', (event_key) => set({ event_key }))}
            onBlur={() => draft.event_key !== filters.event_key && onChange(draft)}
          />
          <SelectField
            label="Status"
            any="Any"
            options={MESSAGE_STATUSES}
            {...bind(draft.status ?? '', (status) => choose({ status }))}
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
                {...bind(draft.error_code ?? '', (error_code) => choose({ error_code }))}
              />
              <SelectField
                label="Delivery"
                any="Any"
                options={RUN_STATUSES}
                {...bind(draft.run_status ?? '', (run_status) => choose({ run_status }))}
              />
            </>
          )}
          <div className="moments">
            {moment('created_after', 'From')}
            {moment('created_before', 'To')}
          </div>
          <div className="row">
            {QUICK_RANGES.map(([name, ms]) => (
              <Button
                key={name}
                small
                variant="quiet"
                onClick={() =>
                  choose({ created_after: new Date(Date.now() - ms).toISOString(), created_before: '' })
                }
              >
                {name}
              </Button>
            ))}
          </div>
          <Button type="submit" className="visually-hidden" tabIndex={-1}>
            Apply
          </Button>
        </form>
      </details>
      <FilterChips
        filters={filters}
        environmentId={environmentId}
        onChange={(next) => {
          setDraft(next);
          onChange(next);
        }}
      />
    </div>
  );
}
