import type { ConfiguredChannel } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { RotateCw, SkipForward } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { PagedTable, usePaged } from '../../ui/display.ts';
import { formatNumber } from '../../ui/format.ts';
import { ChangeButton } from '../../ui/input.ts';
import { Time } from '../../ui/parts.tsx';

const TEXTS = {
  Retry: {
    icon: RotateCw,
    operation: 'retryBlockedKey',
    action: 'Retry the delivery',
    done: 'The delivery is retried.',
    about:
      'The failed delivery is sent again with the same sequence and the active template. It does not count against the quota. Later deliveries wait until it has ended.',
  },
  Skip: {
    icon: SkipForward,
    operation: 'skipBlockedKey',
    action: 'Skip the delivery',
    done: 'The delivery is skipped. The next one is sent.',
    about:
      'The failed delivery is not sent. The next delivery of the key is sent, and the receiver sees a gap in the sequence.',
  },
} as const;

interface BlockedKey {
  readonly ordering_key: string;
  readonly sequence: number;
}

/** Retries or skips a delivery that blocks its key, after a question. */
function Unblock({ by, of: key, channelId }: { by: keyof typeof TEXTS; of: BlockedKey; channelId: string }) {
  const { environmentId, admin } = useEnvironment();
  const { about, done, ...texts } = TEXTS[by];
  const { ordering_key, sequence } = key;
  const unblock = async () => {
    const { channels } = admin;
    const call = by === 'Retry' ? channels.blockedKeysRetry : channels.blockedKeysSkip;
    const { unblocked } = await call(channelId, { ordering_key });
    return unblocked ? done : 'The key was no longer blocked: nothing has changed.';
  };
  return (
    <ChangeButton
      inRow
      variant="default"
      danger={by === 'Skip'}
      label={by}
      of={ordering_key}
      title={`${by} ${ordering_key}, sequence ${sequence}`}
      change={unblock}
      shownIn={[keys.blockedKeys(environmentId, channelId), keys.attention(environmentId)]}
      {...texts}
    >
      <p>{about}</p>
    </ChangeButton>
  );
}

/** The blocked ordering keys of a channel, with actions that unblock them. */
export function BlockedKeys({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin, screen } = useEnvironment();
  const list = usePaged(
    keys.blockedKeys(environmentId, channel.id),
    admin.channels.blockedKeys(channel.id).page,
  );
  return (
    <PagedTable
      label="Blocked ordering keys"
      list={list}
      keyOf={({ ordering_key }) => ordering_key}
      empty={
        <p className="card-body muted">
          No ordering key is blocked. A key is blocked when one of its deliveries has failed permanently;
          later ones then wait.
        </p>
      }
      columns={{
        'Blocked key': ({ ordering_key }) => <code className="break">{ordering_key}</code>,
        Sequence: ({ sequence }) => formatNumber(sequence),
        Since: ({ blocked_at }) => <Time at={blocked_at} format="short" />,
        'Failed with': ({ message_id, last_error_code }) => {
          const code = <code>{last_error_code ?? 'unknown'}</code>;
          if (message_id === null) return code;
          return <Link to={screen`/messages/${message_id}`}>{code}</Link>;
        },
        Waiting: ({ waiting }) => (waiting >= 1_000 ? 'at least 1,000' : formatNumber(waiting)),
      }}
      actions={({ message_id, ...key }) => (
        <span className="row" style={{ flexWrap: 'nowrap', justifyContent: 'flex-end' }}>
          {message_id !== null && <Unblock by="Retry" of={key} channelId={channel.id} />}
          <Unblock by="Skip" of={key} channelId={channel.id} />
        </span>
      )}
    />
  );
}

/** Whether a channel can have blocked keys. */
export const keepsOrder = ({ ordering }: ConfiguredChannel): boolean => ordering === 'key';
