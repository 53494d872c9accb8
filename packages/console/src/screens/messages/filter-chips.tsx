import { errorName } from '@postrider/client';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { keys, useEnvironment } from '../../api/index.ts';
import { removeView, saveView, useSettings } from '../../app/settings.ts';
import { formatDayTime } from '../../ui/format.ts';
import { bind, Change, TextField } from '../../ui/forms.ts';
import { Button } from '../../ui/parts.tsx';
import { lookOf, useRead } from '../../ui/views.ts';
import type { Filters } from './filters.tsx';

/** The names of the channels of the environment, by their ids; at most 100. */
export function useChannelNames(isOn: boolean): ReadonlyMap<string, string> {
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

export interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The filters that apply, each with a button that removes it, and the views that the user has saved. */
export function FilterChips({ filters, onChange }: FilterProps) {
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
