import { ERROR_NAMES, type ErrorCode, type MessageSearchQuery } from '@postrider/client';
import { ChevronRight } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { HOUR_MS, useEnvironment } from '../../api/index.ts';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { bind, SelectField, submitting, TextField } from '../../ui/forms.ts';
import { Button, May } from '../../ui/parts.tsx';
import { FilterChips, type FilterProps, useChannelNames } from './filter-chips.tsx';

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

function ChannelSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const channels = useChannelNames(true);
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
export function FilterBar({ filters, onChange }: FilterProps) {
  const { isOperator } = useEnvironment().scope;
  const [draft, setDraft] = useState<Filters>(filters);
  const choose = (change: Filters) => {
    const next = { ...draft, ...change };
    setDraft(next);
    onChange(next);
  };
  const moment = (name: 'created_after' | 'created_before', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={toLocalInput(draft[name])}
      onChange={(event) => choose({ [name]: fromLocalInput(event.target.value) })}
    />
  );
  const typed = (name: 'recipient_email' | 'event_key', label: string, placeholder: string) => (
    <TextField
      label={label}
      placeholder={placeholder}
      {...bind(draft[name] ?? '', (text) => setDraft({ ...draft, [name]: text }))}
      onBlur={() => draft[name] !== filters[name] && onChange(draft)}
    />
  );
  const chosen = (
    name: 'status' | 'error_code' | 'run_status',
    label: string,
    options: ComponentProps<typeof SelectField>['options'],
  ) => (
    <SelectField
      label={label}
      any="Any"
      options={options}
      {...bind(draft[name] ?? '', (value) => choose({ [name]: value }))}
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
        <form className="filters" onSubmit={submitting(() => onChange(draft))} aria-label="Filters">
          <May operation="getEnvironmentDeliveryContent">
            {typed('recipient_email', 'Recipient', 'ada@…')}
          </May>
          {typed('event_key', 'Event key', 'order.shipped')}
          {chosen('status', 'Status', MESSAGE_STATUSES)}
          {isOperator && (
            <>
              <May operation="listChannels">
                <ChannelSelect
                  value={draft.channel_id ?? ''}
                  onChange={(channel_id) => choose({ channel_id })}
                />
              </May>
              {chosen('error_code', 'Error', ATTEMPT_ERRORS)}
              {chosen('run_status', 'Delivery', RUN_STATUSES)}
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
        onChange={(next) => {
          setDraft(next);
          onChange(next);
        }}
      />
    </div>
  );
}
