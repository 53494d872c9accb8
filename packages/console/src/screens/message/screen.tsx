import type { DeliveryRun, Message } from '@postrider/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Ban, CalendarClock, ExternalLink, RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import {
  BASE_URL,
  keys,
  useEnvironment,
  useInvalidate,
  useMay,
  useRefresh,
  useSession,
} from '../../api/index.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { useShow } from '../../ui/dialogs.tsx';
import {
  Back,
  ConsumerLink,
  ErrorNotice,
  MaskedNote,
  Notice,
  Status,
  Tag,
  useRead,
} from '../../ui/display.ts';
import { toJson } from '../../ui/format.ts';
import { LostNotice } from '../../ui/live.tsx';
import { Tabs } from '../../ui/overlays.tsx';
import { Button, Card, CodeBlock, CopyId, Facts, Loading, PageHead, Time } from '../../ui/parts.tsx';
import { recipientOf } from '../messages/table.tsx';
import { CancelDialog, CancelMessageDialog, ReplayDialog, RescheduleDialog } from './actions.tsx';
import { ExplanationNotice } from './explanation.tsx';
import { curlOf, timelineOf } from './timeline.ts';
import { TimelineList } from './timeline-list.tsx';
import type { PausedChannels } from './timeline-notes.tsx';

/** How often a message is read while it waits in a queue, whose other deliveries the stream does not tell. */
const QUEUE_MS = 10_000;
/** How often the paused channels are reloaded while a delivery is held. */
const PAUSED_MS = 10_000;

const isOpen = ({ status }: DeliveryRun) => !['succeeded', 'failed', 'cancelled'].includes(status);

function Side({ message }: { message: Message }) {
  const { trace_url_template: trace } = useSession();
  const hasContent = useMay()('getEnvironmentDeliveryContent');
  return (
    <div className="stack">
      <Card title="Message">
        <Facts
          items={{
            Status: <Status value={message.status} />,
            Recipient: recipientOf(message),
            Consumer: message.consumer && <ConsumerLink id={message.consumer} />,
            'Event key': <code>{message.event_key}</code>,
            Accepted: <Time at={message.created_at} />,
            Scheduled: message.schedule_at && <Time at={message.schedule_at} />,
            Expires: message.expires_at && <Time at={message.expires_at} />,
            'Ordering key': message.ordering_key && <CopyId value={message.ordering_key} />,
            Erased: message.erased_at && <Time at={message.erased_at} />,
            Id: <CopyId value={message.id} />,
            'Request id': message.request_id && <CopyId value={message.request_id} />,
            Trace: trace && (
              <a href={trace.replace('{trace_id}', message.trace_id)} target="_blank" rel="noreferrer">
                Open <ExternalLink className="icon" aria-hidden="true" />
              </a>
            ),
          }}
        />
      </Card>
      <MaskedNote />
      {hasContent && (
        <Card title="Event">
          <Tabs
            label="The event as it was sent"
            items={[
              ['Payload', <CodeBlock key="p" text={toJson(message.payload)} label="Payload" />],
              ['Recipient', <CodeBlock key="r" text={toJson(message.recipient)} label="Recipient" />],
              ['curl', <CodeBlock key="c" text={curlOf(message, BASE_URL)} label="Request as curl" />],
            ]}
          />
        </Card>
      )}
    </div>
  );
}

/** The paused channels of the environment, read while a delivery is held. */
function usePaused(runs: readonly DeliveryRun[]): PausedChannels {
  const { environmentId, scope } = useEnvironment();
  const may = useMay();
  const [data] = useRead(keys.attention(environmentId), () => scope.attention(), {
    enabled: scope.isOperator && may('getEnvironmentAttention') && runs.some(isOpen),
    refetchInterval: PAUSED_MS,
  });
  return useMemo(
    () => new Map(data?.paused_channels.map((channel) => [channel.channel_id, channel])),
    [data],
  );
}

/** One message: its timeline, what was sent, and its actions. */
export function Screen() {
  const { environmentId, scope, screen } = useEnvironment();
  const may = useMay();
  const { messageId = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const invalidate = useInvalidate();
  const show = useShow();

  const deliveries = useInfiniteQuery({
    queryKey: keys.message(environmentId, messageId, 'deliveries'),
    initialPageParam: '',
    queryFn: ({ pageParam }) => scope.messages.deliveries(messageId, pageParam ? { cursor: pageParam } : {}),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) => {
      const all = state.data?.pages.flatMap((page) => page.delivery_runs) ?? [];
      return all.some(({ queue }) => queue) ? QUEUE_MS : false;
    },
  });
  const runs = useMemo(
    () => deliveries.data?.pages.flatMap((page) => page.delivery_runs) ?? [],
    [deliveries.data],
  );
  const message = useQuery({
    queryKey: keys.message(environmentId, messageId, 'read'),
    queryFn: () => scope.message(messageId),
  });
  const connection = useRefresh(scope, [keys.message(environmentId, messageId)], {
    concerns: ({ data }) => data.message_id === messageId,
  });
  const events = useMemo(() => (message.data ? timelineOf(message.data, runs) : []), [message.data, runs]);
  const scheduled = runs.find(({ status }) => status === 'scheduled');
  const paused = usePaused(runs);
  const isUnrouted = message.data?.status === 'unrouted';
  const canReplay =
    message.data !== undefined &&
    !message.data.test &&
    !message.data.erased_at &&
    (runs.length > 0 || isUnrouted);
  const replay = message.data && <ReplayDialog message={message.data} runs={runs} />;
  useShortcuts({
    r: canReplay && may('replayEnvironmentMessage') ? () => show(replay) : undefined,
    c:
      scheduled && may('cancelEnvironmentDeliveryRun')
        ? () => show(<CancelDialog run={scheduled} />)
        : undefined,
  });

  return (
    <>
      <Back to={screen`/messages`} search={search}>
        Messages
      </Back>
      <PageHead
        title={message.data ? `${message.data.event_key} to ${recipientOf(message.data)}` : 'Message'}
        about={
          message.data && (
            <span className="row">
              <Status value={message.data.status} />
              {message.data.test && <Tag>test</Tag>}
              {message.data.erased_at && <Tag tone="warn">erased</Tag>}
              <CopyId value={message.data.id} label="Copy message id" />
            </span>
          )
        }
      >
        {scheduled && message.data && (
          <>
            <Button
              icon={CalendarClock}
              operation="rescheduleEnvironmentMessage"
              dialog={<RescheduleDialog message={message.data} />}
            >
              Reschedule
            </Button>
            <Button
              icon={Ban}
              operation="cancelEnvironmentMessage"
              dialog={<CancelMessageDialog message={message.data} />}
            >
              Cancel the message
            </Button>
          </>
        )}
        {message.data && (
          <Button
            variant="primary"
            icon={RotateCw}
            operation="replayEnvironmentMessage"
            disabled={!canReplay}
            dialog={replay}
          >
            Replay
          </Button>
        )}
      </PageHead>
      <LostNotice connection={connection} at={deliveries.dataUpdatedAt} />
      <ErrorNotice
        error={message.error ?? deliveries.error}
        onRetry={() => void invalidate(keys.message(environmentId, messageId))}
      />
      {!message.data && !message.error && <Loading rows={6} />}
      {message.data && deliveries.data && !message.data.erased_at && (
        <ExplanationNotice message={message.data} runs={runs} canReplay={canReplay} />
      )}
      {message.data && (
        <div className="message-layout">
          <Card title="Timeline" flush>
            {message.data.erased_at && (
              <div className="card-body">
                <Notice title="The recipient’s data was erased.">
                  <p>
                    At <Time at={message.data.erased_at} /> the recipient, the payload and what servers
                    replied were removed. Ids, times and outcomes stay. It cannot be replayed.
                  </p>
                </Notice>
              </div>
            )}
            <TimelineList events={events} paused={paused} />
            {deliveries.hasNextPage && (
              <div className="card-foot">
                <Button
                  small
                  busy={deliveries.isFetchingNextPage}
                  onClick={() => void deliveries.fetchNextPage()}
                >
                  More deliveries
                </Button>
              </div>
            )}
          </Card>
          <Side message={message.data} />
        </div>
      )}
    </>
  );
}
