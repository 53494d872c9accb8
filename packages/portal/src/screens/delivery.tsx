import type { Attempt, DeliveryRun, SentContent } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { ShowContext, useDialog } from '@postrider/console/ui/dialogs.tsx';
import {
  Button,
  Card,
  CodeBlock,
  CopyId,
  type FactItems,
  Facts,
  Notice,
  PageHead,
} from '@postrider/console/ui/plain.tsx';
import { StatusBadge } from '@postrider/console/ui/status.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Delivery } from '../api/contract.ts';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { AskButton, Back, May, Time, useRead, useSay } from '../ui/parts.tsx';
import { go, to } from '../ui/router.ts';
import { headersText, RequestBlocks } from './request.tsx';

const EVERY_MS = 1_000;
const ENDED = ['succeeded', 'failed', 'cancelled'];

type FullDelivery = Delivery & Pick<DeliveryRun, 'attempts'>;

/** What an attempt sent, and what it was answered. */
function Content({ runId, number }: { runId: string; number: number }) {
  const { t } = useLanguage();
  const address = path`/api/v1/delivery-runs/${runId}/content`;
  const query = { attempt: number };
  const [data, placeholder] = useRead<SentContent>(['content', runId, number], address, { query });
  if (!data) return placeholder;
  const { request, response, verified } = data;
  return (
    <div className="stack">
      <Notice
        tone={verified ? 'ok' : 'warn'}
        title={verified ? t.delivery.verified : t.delivery.unverified}
      />
      {request && (
        <>
          <h3>{t.delivery.sent}</h3>
          <RequestBlocks request={request} />
        </>
      )}
      {data.email && <CodeBlock text={data.email.source} label={t.delivery.body} />}
      {response && response.headers.length > 0 && (
        <>
          <h3>{t.delivery.reply}</h3>
          <CodeBlock
            text={headersText(response.headers)}
            label={`${t.delivery.reply}: ${t.delivery.headers}`}
          />
        </>
      )}
    </div>
  );
}

function AttemptPart({ attempt }: { attempt: Attempt }) {
  const { t, duration } = useLanguage();
  const { may } = usePortal();
  const [isShown, setShown] = useState(false);
  const { response, status, error_code: code, duration_ms: ms } = attempt;
  const reasons: Readonly<Record<string, string>> = t.delivery.reasons;
  // In the reader's language where there is a text, else as the service says it.
  const why = (code && reasons[code]) ?? attempt.error_message ?? code;
  return (
    <section className="attempt stack" aria-label={t.delivery.attempt(attempt.number)}>
      <div className="row-apart">
        <div className="row">
          <h3>{t.delivery.attempt(attempt.number)}</h3>
          <StatusBadge value={status} word={t.deliveries.statuses[status]} />
          <span className="small muted">
            <Time at={attempt.started_at} />
            {ms !== null && ` · ${duration(ms)}`}
          </span>
        </div>
        {may('messages:content') && (
          <Button small aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? t.delivery.hide : t.delivery.show}
          </Button>
        )}
      </div>
      {why && <p className="break">{why}</p>}
      {response && (
        <CodeBlock
          text={`${response.status_code}\n${response.body_excerpt ?? ''}`.trim()}
          label={t.delivery.reply}
        />
      )}
      {isShown && <Content runId={attempt.delivery_run_id} number={attempt.number} />}
    </section>
  );
}

const factsOf = (run: FullDelivery, t: ReturnType<typeof useLanguage>['t']): FactItems => ({
  [t.deliveries.status]: <StatusBadge value={run.status} word={t.deliveries.statuses[run.status]} />,
  [t.deliveries.endpoint]: (
    <a className="break" href={to(['endpoints', run.channel.id])}>
      {run.channel.name}
    </a>
  ),
  [t.deliveries.attempts]: t.common.of(String(run.attempt_count), String(run.max_attempts)),
  [t.delivery.created]: <Time at={run.created_at} />,
  [t.delivery.completed]: run.completed_at && <Time at={run.completed_at} />,
  [t.delivery.next]: run.next_attempt_at && <Time at={run.next_attempt_at} />,
  [t.delivery.message]: <CopyId value={run.message_id} />,
  [t.delivery.id]: <CopyId value={run.id} />,
});

/** One delivery with its attempts. */
export function DeliveryScreen({ id }: { id: string }) {
  const { t } = useLanguage();
  const { call, consumer } = usePortal();
  const say = useSay();
  const cache = useQueryClient();
  const [question, ask] = useDialog(id);
  const address = path`/api/v1/consumers/${consumer.id}/deliveries/${id}`;
  const [data, placeholder] = useRead<FullDelivery>(['deliveries', 'one', id], address, {
    refetchInterval: ({ state }) => !state.error && !ENDED.includes(state.data?.status ?? '') && EVERY_MS,
  });
  const replay = async () => {
    const { delivery_runs: runs } = await call<{ delivery_runs: { id: string }[] }>(
      'POST',
      `${address}/replay`,
    );
    void cache.invalidateQueries({ queryKey: ['deliveries'] });
    if (runs[0]) go(to(['deliveries', runs[0].id]));
    say(t.delivery.replayed);
  };
  const cancel = async () => {
    await call('POST', path`/api/v1/delivery-runs/${id}/cancel`);
    await cache.invalidateQueries({ queryKey: ['deliveries'] });
    say(t.delivery.cancelled);
  };
  return (
    <ShowContext value={ask}>
      <Back to={to(['deliveries'])}>{t.nav.deliveries}</Back>
      <PageHead title={data?.event_key ?? t.delivery.title}>
        {data && ENDED.includes(data.status) && (
          <May scope="replays:write">
            <AskButton
              icon={RotateCcw}
              title={t.delivery.replayAsk}
              action={t.delivery.replay}
              onConfirm={replay}
            >
              <p>{t.delivery.replayAbout}</p>
            </AskButton>
          </May>
        )}
        {data?.status === 'scheduled' && (
          <May scope="deliveries:cancel">
            <AskButton
              danger
              icon={Ban}
              title={t.delivery.cancelAsk}
              action={t.delivery.cancel}
              onConfirm={cancel}
            >
              <p>{t.delivery.cancelAbout}</p>
            </AskButton>
          </May>
        )}
      </PageHead>
      {placeholder}
      {question}
      {data && (
        <>
          {data.trigger === 'replay' && <Notice title={t.delivery.isReplay} />}
          <Card title={t.delivery.title}>
            <Facts items={factsOf(data, t)} />
          </Card>
          <Card title={t.deliveries.attempts}>
            {data.attempts.length === 0 && <p className="muted">{t.delivery.noAttempt}</p>}
            {data.attempts.map((attempt) => (
              <AttemptPart key={attempt.id} attempt={attempt} />
            ))}
          </Card>
        </>
      )}
    </ShowContext>
  );
}
