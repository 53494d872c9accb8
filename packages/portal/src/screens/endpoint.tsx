import { type ConfiguredChannel, type EventType, type EventTypeSummary, exampleOf } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { ShowContext, useDialog } from '@postrider/console/ui/dialogs.tsx';
import { bind, SelectField } from '@postrider/console/ui/form.tsx';
import { Button, Card, CopyId, Facts, Notice, PageHead } from '@postrider/console/ui/plain.tsx';
import { StatusBadge } from '@postrider/console/ui/status.tsx';
import { matchesEvent } from '@postrider/domain/event-key';
import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { Ask, AskButton, Back, May, Time, usePaged, useRead, useSay } from '../ui/parts.tsx';
import { go, to } from '../ui/router.ts';
import { DeliveryList } from './deliveries.tsx';
import { addressOf, ENDPOINTS, LastReply, stateOf, successOf, takesOf } from './endpoints.tsx';
import { RotateSecret, SecretOnce } from './secret.tsx';

const EVERY_MS = 5_000;

export const useEndpoint = (id: string, refetchInterval: number | false = false) =>
  useRead<ConfiguredChannel>([ENDPOINTS, id], path`/api/v1/channels/${id}`, { refetchInterval });

function HealthCard({ channel }: { channel: ConfiguredChannel }) {
  const language = useLanguage();
  const { t, number } = language;
  const { may } = usePortal();
  const { health } = channel;
  const isPaused = health.state === 'paused';
  return (
    <Card title={t.endpoint.health}>
      <div className="stack">
        <Facts
          items={{
            [t.endpoints.state]: <StatusBadge {...stateOf(channel, language)} />,
            [t.endpoint.because]: health.reason && t.endpoint.reasons[health.reason],
            [health.state === 'ok' ? t.endpoint.onlyFailuresSince : t.endpoint.failingSince]:
              health.failing_since && <Time at={health.failing_since} />,
            [t.endpoints.success]: successOf(channel, language),
            [t.endpoints.lastReply]: may('messages:read') && <LastReply channel={channel} />,
            [t.endpoints.lastSuccess]: health.last_success_at ? (
              <Time at={health.last_success_at} />
            ) : (
              t.endpoints.never
            ),
            [t.endpoint.nextProbe]:
              isPaused && (health.next_probe_at ? <Time at={health.next_probe_at} /> : t.endpoint.noProbe),
            [t.endpoint.waiting]: (isPaused || health.waiting > 0) && number(health.waiting),
          }}
        />
        {isPaused && <Notice tone="warn" title={t.endpoint.pausedNote} />}
      </div>
    </Card>
  );
}

function FactsCard({ channel }: { channel: ConfiguredChannel }) {
  const language = useLanguage();
  const { t, dateTime } = language;
  return (
    <Card title={t.deliveries.endpoint}>
      <div className="stack">
        <Facts
          items={{
            [t.endpoints.address]: <code>{addressOf(channel)}</code>,
            [t.endpoints.takes]: takesOf(channel, language),
            [t.delivery.body]:
              channel.kind === 'webhook' && channel.config.body !== 'standard' && channel.config.body,
            [t.endpoint.created]: <Time at={channel.created_at} />,
            [t.endpoint.id]: <CopyId value={channel.id} />,
          }}
        />
        {channel.previous_secret_expires_at && (
          <Notice title={t.secret.oldUntil(dateTime(channel.previous_secret_expires_at))} />
        )}
      </div>
    </Card>
  );
}

/** Sends a test with the example of an event type, and opens its delivery. */
function Test({ channel }: { channel: ConfiguredChannel }) {
  const { t } = useLanguage();
  const { call, may } = usePortal();
  const [key, setKey] = useState('');
  const send = async () => {
    const type = key ? await call<EventType>('GET', path`/api/v1/event-types/${key}`) : null;
    const payload = type?.payload_schema ? exampleOf(type.payload_schema) : undefined;
    const body = { ...(key && { event_key: key }), ...(payload !== undefined && { payload }) };
    const { delivery_runs: runs } = await call<{ delivery_runs: { id: string }[] }>(
      'POST',
      path`/api/v1/channels/${channel.id}/test`,
      { body },
    );
    if (runs[0] && may('messages:read')) go(to(['deliveries', runs[0].id]));
  };
  return (
    <Ask title={t.endpoint.testAsk} action={t.endpoint.testSend} onConfirm={send}>
      <p>{t.endpoint.testAbout}</p>
      <May scope="event-types:read">
        <TestEvent channel={channel} value={key} onChange={setKey} />
      </May>
    </Ask>
  );
}

interface TestEventProps {
  readonly channel: ConfiguredChannel;
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function TestEvent({ channel, value, onChange }: TestEventProps) {
  const { t } = useLanguage();
  const { rows: known = [] } = usePaged<EventTypeSummary>(['events'], '/api/v1/event-types');
  const keys = known.map((type) => type.event_key).filter((key) => matchesEvent(channel.event_keys, key));
  return (
    <SelectField
      label={t.events.key}
      any="postrider.test"
      options={keys.map((key) => [key, key] as const)}
      {...bind(value, onChange)}
    />
  );
}

/** One endpoint: its health, its deliveries, and what can be done with it. */
export function EndpointScreen({ id }: { id: string }) {
  const { t } = useLanguage();
  const { call } = usePortal();
  const say = useSay();
  const cache = useQueryClient();
  const [channel, placeholder] = useEndpoint(id, EVERY_MS);
  const [question, ask] = useDialog(id);
  const [secret, setSecret] = useState<string | null>(null);
  const readAgain = () => cache.invalidateQueries({ queryKey: [ENDPOINTS] });
  const isPaused = channel?.health.state === 'paused';
  const action = isPaused ? 'resume' : 'pause';
  const toggle = async () => {
    const address = path`/api/v1/channels/${id}/${action}`;
    cache.setQueryData([ENDPOINTS, id], await call<ConfiguredChannel>('POST', address));
    void readAgain();
    say(action === 'resume' ? t.endpoint.resumed : t.endpoint.paused);
  };
  const remove = async () => {
    await call('DELETE', path`/api/v1/channels/${id}`);
    // The list opens without the endpoint, and reads the rest again.
    cache.removeQueries({ queryKey: [ENDPOINTS], type: 'inactive' });
    go(to(['endpoints']));
    say(t.endpoint.removed);
    cache.removeQueries({ queryKey: [ENDPOINTS, id] });
    void cache.invalidateQueries({ queryKey: ['consumer'] });
  };
  return (
    <ShowContext value={ask}>
      <Back to={to(['endpoints'])}>{t.nav.endpoints}</Back>
      <PageHead title={channel?.name ?? t.deliveries.endpoint}>
        {channel && (
          <May scope="channels:write">
            <Button icon={FlaskConical} onClick={() => ask(<Test channel={channel} />)}>
              {t.endpoint.test}
            </Button>
            <AskButton
              icon={isPaused ? Play : Pause}
              title={t.endpoint[`${action}Ask`]}
              action={t.endpoint[action]}
              onConfirm={toggle}
            >
              <p>{t.endpoint[`${action}About`]}</p>
            </AskButton>
            {channel.kind === 'webhook' && (
              <Button icon={KeyRound} onClick={() => ask(<RotateSecret id={id} onRotated={setSecret} />)}>
                {t.secret.rotate}
              </Button>
            )}
            <a className="button" href={to(['endpoints', id, 'edit'])}>
              <Pencil aria-hidden="true" />
              {t.endpoint.edit}
            </a>
            <AskButton
              danger
              icon={Trash2}
              title={t.endpoint.removeAsk(channel.name)}
              action={t.endpoint.remove}
              onConfirm={remove}
            >
              <p>{t.endpoint.removeAbout}</p>
            </AskButton>
          </May>
        )}
      </PageHead>
      {placeholder}
      {channel && (
        <>
          {question}
          {secret !== null && (
            <SecretOnce
              title={t.secret.rotated}
              secret={secret}
              onDone={() => {
                setSecret(null);
                void readAgain();
              }}
            />
          )}
          <div className="grid-2">
            <HealthCard channel={channel} />
            <FactsCard channel={channel} />
          </div>
          <May scope="messages:read">
            <h2>{t.nav.deliveries}</h2>
            <DeliveryList channelId={id} />
          </May>
        </>
      )}
    </ShowContext>
  );
}
