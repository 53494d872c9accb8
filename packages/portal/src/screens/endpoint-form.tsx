import type { ConfiguredChannel, EventTypeSummary } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { bind, Check, submitting, TextField, toggled, useTask } from '@postrider/console/ui/form.tsx';
import { Button, Card, Notice, PageHead } from '@postrider/console/ui/plain.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { Back, detailsOf, ErrorNotice, Refused, usePaged, useSay } from '../ui/parts.tsx';
import { go, to } from '../ui/router.ts';
import { type Advanced, advancedOf, changesOf, isValid } from './advanced.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { useEndpoint } from './endpoint.tsx';
import { ENDPOINTS } from './endpoints.tsx';
import { SecretOnce } from './secret.tsx';

/** Beyond this many event types a field to search in them is shown. */
const MANY = 12;

interface EventChoice {
  readonly isAll: boolean;
  readonly keys: readonly string[];
  /** Patterns and keys that are not in the catalogue, as they were typed. */
  readonly others: string;
}

const wordsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const eventKeysOf = ({ isAll, keys, others }: EventChoice): string[] =>
  isAll ? ['*'] : [...new Set([...keys, ...wordsOf(others)])];

/** Chooses events: all, or some of the catalogue, and patterns. */
function Events({ value, onChange }: { value: EventChoice; onChange: (value: EventChoice) => void }) {
  const { t } = useLanguage();
  const { may } = usePortal();
  const [search, setSearch] = useState('');
  return (
    <fieldset className="stack-tight">
      <legend className="label">{t.form.events}</legend>
      {[true, false].map((isAll) => (
        <Check
          key={String(isAll)}
          type="radio"
          name="events"
          label={isAll ? t.form.all : t.form.some}
          checked={value.isAll === isAll}
          onChange={() => onChange({ ...value, isAll })}
        />
      ))}
      {!value.isAll && (
        <>
          {may('event-types:read') && (
            <Catalogue value={value} onChange={onChange} search={search} setSearch={setSearch} />
          )}
          <TextField
            label={t.form.others}
            hint={t.form.othersHint}
            {...bind(value.others, (others) => onChange({ ...value, others }))}
          />
        </>
      )}
    </fieldset>
  );
}

function Catalogue({
  value,
  onChange,
  search,
  setSearch,
}: Parameters<typeof Events>[0] & { search: string; setSearch: (search: string) => void }) {
  const { t } = useLanguage();
  const {
    rows: all = [],
    error,
    hasNextPage,
    fetchNextPage,
  } = usePaged<EventTypeSummary>(['events'], '/api/v1/event-types');
  const shown = all.filter(({ event_key: key }) => key.includes(search.trim()));
  if (error) return <ErrorNotice error={error} />;
  if (all.length === 0) return null;
  return (
    <>
      {all.length > MANY && <TextField type="search" label={t.form.search} {...bind(search, setSearch)} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="choices" tabIndex={0} aria-label={t.nav.events}>
        {shown.map(({ event_key: key, description }) => (
          <Check
            key={key}
            label={<code className="break">{key}</code>}
            hint={description}
            checked={value.keys.includes(key)}
            onChange={() => onChange({ ...value, keys: toggled(value.keys, key) })}
          />
        ))}
        {hasNextPage && (
          <Button small onClick={() => void fetchNextPage()}>
            {t.common.more}
          </Button>
        )}
      </section>
    </>
  );
}

interface Fields {
  readonly name: string;
  readonly url: string | null;
  readonly eventKeys: string[];
  readonly advanced: Advanced;
}

/** Whether the service refused something of the advanced part. */
const concernsAdvanced = (error: unknown) =>
  detailsOf(error).some(({ path: at }) => /^\/(filter|config\/(body|template|signature))/.test(at));

/** The fields in the API's form. Of the advanced ones only those that were changed. */
function bodyOf({ name, url, eventKeys, advanced }: Fields, channel: ConfiguredChannel | null) {
  const { own, config } = changesOf(advanced, channel);
  const settings = { ...(url !== null && { url }), ...config };
  const hasConfig = Object.keys(settings).length > 0;
  return { name, event_keys: eventKeys, ...own, ...(hasConfig && { config: settings }) };
}

function EndpointForm({
  channel,
  action,
  onSave,
}: {
  channel: ConfiguredChannel | null;
  action: string;
  onSave: (fields: Fields) => Promise<unknown>;
}) {
  const { t } = useLanguage();
  const { may } = usePortal();
  const given = channel?.event_keys ?? ['*'];
  const isListed = (key: string) => may('event-types:read') && !key.includes('*');
  const isAll = given.includes('*');
  const [name, setName] = useState(channel?.name ?? '');
  const [url, setUrl] = useState(channel?.kind === 'webhook' ? channel.config.url : '');
  const [events, setEvents] = useState<EventChoice>({
    isAll,
    keys: isAll ? [] : given.filter(isListed),
    others: isAll ? '' : given.filter((key) => !isListed(key)).join(' '),
  });
  const [advanced, setAdvanced] = useState(() => advancedOf(channel));
  const [isEmpty, setEmpty] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const { busy, error, run } = useTask();
  const hasUrl = channel === null || channel.kind === 'webhook';
  const submit = () => {
    const eventKeys = eventKeysOf(events);
    setEmpty(eventKeys.length === 0);
    setWrong(!isValid(advanced));
    if (eventKeys.length === 0 || !isValid(advanced)) return;
    void run(() => onSave({ name: name.trim(), url: hasUrl ? url.trim() : null, eventKeys, advanced }));
  };
  return (
    <form onSubmit={submitting(submit)}>
      <Card
        foot={
          <>
            <a className="button" href={to(channel ? ['endpoints', channel.id] : ['endpoints'])}>
              {t.common.cancel}
            </a>
            <Button type="submit" variant="primary" busy={busy}>
              {action}
            </Button>
          </>
        }
      >
        <div className="stack">
          <Refused error={error}>
            {hasUrl && (
              <TextField
                type="url"
                required
                maxLength={2_048}
                label={t.form.url}
                hint={t.form.urlHint}
                placeholder="https://example.com/webhooks"
                {...bind(url, setUrl)}
              />
            )}
            <TextField
              required
              maxLength={255}
              label={t.endpoints.name}
              hint={t.form.nameHint}
              {...bind(name, setName)}
            />
            <Events value={events} onChange={setEvents} />
            <AdvancedFields
              channel={channel}
              value={advanced}
              onChange={setAdvanced}
              hasError={isWrong || concernsAdvanced(error)}
            />
          </Refused>
          {isEmpty && <Notice tone="bad" title={t.form.noneChosen} />}
          <ErrorNotice error={error} />
        </div>
      </Card>
    </form>
  );
}

export function CreateEndpoint() {
  const { t } = useLanguage();
  const { call, consumer } = usePortal();
  const cache = useQueryClient();
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const create = async (fields: Fields) => {
    const body = { kind: 'webhook', ...bodyOf(fields, null) };
    const address = path`/api/v1/consumers/${consumer.id}/channels`;
    const channel = await call<{ id: string; secret?: string | null }>('POST', address, { body });
    void cache.invalidateQueries({ queryKey: [ENDPOINTS] });
    void cache.invalidateQueries({ queryKey: ['consumer'] });
    if (channel.secret) setCreated({ id: channel.id, secret: channel.secret });
    // A secret of the receiver signs.
    else go(to(['endpoints', channel.id]));
  };
  return (
    <>
      <Back to={to(['endpoints'])}>{t.nav.endpoints}</Back>
      <PageHead title={created ? t.secret.title : t.endpoints.add} />
      {created ? (
        <SecretOnce
          title={t.secret.created}
          secret={created.secret}
          onDone={() => go(to(['endpoints', created.id]))}
        />
      ) : (
        <EndpointForm channel={null} action={t.form.create} onSave={create} />
      )}
    </>
  );
}

export function EditEndpoint({ id }: { id: string }) {
  const { t } = useLanguage();
  const { call } = usePortal();
  const say = useSay();
  const cache = useQueryClient();
  const [channel, placeholder] = useEndpoint(id);
  const save = async (fields: Fields) => {
    const body = bodyOf(fields, channel ?? null);
    const changed = await call<ConfiguredChannel>('PATCH', path`/api/v1/channels/${id}`, { body });
    cache.setQueryData([ENDPOINTS, id], changed);
    void cache.invalidateQueries({ queryKey: [ENDPOINTS] });
    go(to(['endpoints', id]));
    say(t.form.saved);
  };
  return (
    <>
      <Back to={to(['endpoints', id])}>{channel?.name ?? t.nav.endpoints}</Back>
      <PageHead title={channel ? t.form.editTitle(channel.name) : t.deliveries.endpoint} />
      {placeholder}
      {channel && <EndpointForm channel={channel} action={t.form.save} onSave={save} />}
    </>
  );
}
