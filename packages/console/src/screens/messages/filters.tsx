import { ERROR_NAMES, type ErrorCode, errorName, type MessageSearchQuery } from '@postrider/client';
import { Bookmark, ChevronRight, X } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { HOUR_MS, keys, useEnvironment } from '../../api/index.ts';
import { removeView, saveView, useSettings } from '../../app/settings.ts';
import { lookOf, useRead } from '../../ui/display.ts';
import { formatDayTime, fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { bind, Change, SelectField, submitting, TextField } from '../../ui/input.ts';
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

/** The names of the channels of the environment, by their ids; at most 100. */
function useChannelNames(isOn: boolean): ReadonlyMap<string, string> {
  const { environmentId, admin } = useEnvironment();
  const [data] = useRead(
    keys.channels(environmentId, 'names'),
    () => admin.channels.of(environmentId).page({ limit: 100 }),
    { enabled: isOn },
  );
  return new Map(data?.data.map(({ id, name, kind }) => [id, `${name} (${kind})`]));
}

const LABELS: Readonly<Record<string, string>> = {
  event_key: 'Event key',
  status: 'Status',
  recipient_email: 'Recipient',
  consumer: 'Consumer',
  created_after: 'From',
  created_before: 'To',
  run_status: 'Delivery',
  run_ended_after: 'Ended from',
  channel_id: 'Channel',
  channel_kind: 'Kind',
  error_code: 'Error',
};

const WORDS: Readonly<Record<string, (value: string) => string>> = {
  status: (value) => lookOf(value).word,
  run_status: (value) => lookOf(value).word,
  error_code: errorName,
  run_ended_after: formatDayTime,
  created_after: formatDayTime,
  created_before: formatDayTime,
};

function chipsOf(filters: object, channels: ReadonlyMap<string, string> = new Map()) {
  return Object.entries(filters).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string' || value === '') return [];
    const word = name === 'channel_id' ? (channels.get(value) ?? value) : (WORDS[name]?.(value) ?? value);
    return [{ name, text: `${LABELS[name] ?? name}: ${word}` }];
  });
}

/** A filter in words. */
export const filterText = (filters: object) =>
  chipsOf(filters)
    .map(({ text }) => text)
    .join(', ') || 'every message';

/** A recipient is data of a person: it is not stored in the browser. */
const storable = (filters: Filters): Record<string, string> => {
  const { recipient_email: _, ...others } = filters;
  return Object.fromEntries(Object.entries(others).filter(([, value]) => value));
};

function SaveDialog({ filters }: { filters: Filters }) {
  const { environmentId } = useEnvironment();
  const [name, setName] = useState('');
  return (
    <Change
      danger={false}
      target={null}
      title="Save this view"
      action="Save"
      change={async () => saveView({ environmentId, name: name.trim(), filters: storable(filters) })}
    >
      <TextField
        label="Name"
        required
        maxLength={60}
        hint="It is kept in this browser. A recipient is left out."
        {...bind(name, setName)}
      />
    </Change>
  );
}

interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters that apply, each with a button that removes it, and the views that the user has saved. */
function FilterChips({ filters, onChange }: FilterProps) {
  const { environmentId } = useEnvironment();
  const views = useSettings().views.filter((view) => view.environmentId === environmentId);
  const channels = useChannelNames(Boolean(filters.channel_id));
  const chips = chipsOf(filters, channels);
  if (chips.length === 0 && views.length === 0) return null;
  return (
    <div className="row">
      {chips.map(({ name, text }) => (
        <span key={name} className="chip">
          {text}
          <Button
            small
            variant="quiet"
            iconOnly
            icon={X}
            onClick={() => onChange({ ...filters, [name]: '' })}
          >
            {`Remove the filter “${text}”`}
          </Button>
        </span>
      ))}
      {chips.length > 0 && (
        <>
          <Button small variant="quiet" icon={Bookmark} dialog={<SaveDialog filters={filters} />}>
            Save this view
          </Button>
          <Button small variant="quiet" onClick={() => onChange({})}>
            Clear filters
          </Button>
        </>
      )}
      {views.map((view) => (
        <span key={view.name} className="chip chip-view">
          <button type="button" className="link" onClick={() => onChange(view.filters)}>
            {view.name}
          </button>
          <Button small variant="quiet" iconOnly icon={X} onClick={() => removeView(view)}>
            {`Remove the view “${view.name}”`}
          </Button>
        </span>
      ))}
    </div>
  );
}

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
