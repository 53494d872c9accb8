import type { ConfiguredChannel } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { RotateCw, SkipForward } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { Change } from '../../ui/change.tsx';
import { formatNumber } from '../../ui/format.ts';
import { PagedTable, usePaged } from '../../ui/list.tsx';
import { Button, Time } from '../../ui/parts.tsx';

interface Asked {
  readonly by: 'retry' | 'skip';
  readonly key: string;
  readonly sequence: number;
}

const TEXTS = {
  retry: {
    title: 'Retry',
    action: 'Retry the delivery',
    done: 'The delivery is retried.',
    about:
      'The failed delivery is sent again with the same sequence and the active template. It does not count against the quota. Later deliveries wait until it has ended.',
  },
  skip: {
    title: 'Skip',
    action: 'Skip the delivery',
    done: 'The delivery is skipped. The next one is sent.',
    about:
      'The failed delivery is not sent. The next delivery of the key is sent, and the receiver sees a gap in the sequence.',
  },
} as const;

/** The blocked ordering keys of a channel, with actions that unblock them. */
export function BlockedKeys({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin, screen } = useEnvironment();
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = usePaged(keys.blockedKeys(environmentId, channel.id), (query) =>
    admin.channels.blockedKeys(channel.id).page(query),
  );
  const unblock = async ({ by, key }: Asked) => {
    const { channels } = admin;
    const call = by === 'retry' ? channels.blockedKeysRetry : channels.blockedKeysSkip;
    const { unblocked } = await call(channel.id, { ordering_key: key });
    return unblocked ? TEXTS[by].done : 'The key was no longer blocked: nothing has changed.';
  };
  return (
    <>
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
        columns={[
          { name: 'Blocked key', cell: ({ ordering_key }) => <code className="break">{ordering_key}</code> },
          { name: 'Sequence', cell: ({ sequence }) => formatNumber(sequence) },
          { name: 'Since', cell: ({ blocked_at }) => <Time at={blocked_at} format="short" /> },
          {
            name: 'Failed with',
            cell: ({ message_id, last_error_code }) => {
              const code = <code>{last_error_code ?? 'unknown'}</code>;
              if (message_id === null) return code;
              return <Link to={screen`/messages/${message_id}`}>{code}</Link>;
            },
          },
          {
            name: 'Waiting',
            cell: ({ waiting }) => (waiting >= 1_000 ? 'at least 1,000' : formatNumber(waiting)),
          },
          {
            name: 'Actions',
            isEnd: true,
            cell: ({ ordering_key: key, sequence, message_id }) => (
              <span className="row" style={{ flexWrap: 'nowrap', justifyContent: 'flex-end' }}>
                {message_id !== null && (
                  <Button
                    small
                    icon={RotateCw}
                    operation="retryBlockedKey"
                    aria-label={`Retry ${key}`}
                    onClick={() => setAsked({ by: 'retry', key, sequence })}
                  >
                    Retry
                  </Button>
                )}
                <Button
                  small
                  icon={SkipForward}
                  operation="skipBlockedKey"
                  aria-label={`Skip ${key}`}
                  onClick={() => setAsked({ by: 'skip', key, sequence })}
                >
                  Skip
                </Button>
              </span>
            ),
          },
        ]}
      />
      {asked && (
        <Change
          danger={asked.by === 'skip'}
          onClose={() => setAsked(null)}
          title={`${TEXTS[asked.by].title} ${asked.key}, sequence ${asked.sequence}`}
          action={TEXTS[asked.by].action}
          target={<Target />}
          change={() => unblock(asked)}
          shownIn={[keys.blockedKeys(environmentId, channel.id), keys.attention(environmentId)]}
        >
          <p>{TEXTS[asked.by].about}</p>
        </Change>
      )}
    </>
  );
}

/** Whether a channel can have blocked keys. */
export const keepsOrder = ({ ordering }: ConfiguredChannel): boolean => ordering === 'key';
