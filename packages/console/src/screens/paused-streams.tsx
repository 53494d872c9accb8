import { Play } from 'lucide-react';
import { keys } from '../api/keys.ts';
import { useEnvironment } from '../app/environment.tsx';
import { ChangeButton } from '../ui/change.tsx';
import { formatNumber } from '../ui/format.ts';
import { Card, Time } from '../ui/parts.tsx';
import { useRead } from '../ui/read.tsx';
import { Tag } from '../ui/status.tsx';

/** The most streams that are shown: an environment with more has other problems. */
const MAX_SHOWN = 100;

/** The streams of the environment whose email is held; nothing if there are none. */
export function PausedStreams() {
  const { environmentId, admin } = useEnvironment();
  const [data, reading, { error }] = useRead(keys.pausedStreams(environmentId), () =>
    admin.pausedStreams.of(environmentId).page({ limit: MAX_SHOWN }),
  );
  const streams = data?.data ?? [];
  return (
    <>
      {error && reading}
      {streams.length > 0 && (
        <Card title="Paused streams" flush>
          <ul>
            {streams.map(({ stream, paused_at, delivered, complained, waiting }) => (
              <li key={stream} className="card-foot">
                <div className="grow">
                  <strong className="break">{stream}</strong>{' '}
                  <Tag tone="warn">
                    {waiting === 1 ? '1 delivery waits' : `${formatNumber(waiting)} deliveries wait`}
                  </Tag>
                  <div className="muted break">
                    {`${formatNumber(complained)} complaints about ${formatNumber(delivered)} emails, paused since `}
                    <Time at={paused_at} />
                  </div>
                </div>
                <ChangeButton
                  inRow
                  label="Resume"
                  of={stream}
                  variant="default"
                  icon={Play}
                  operation="resumeStream"
                  action="Resume the stream"
                  change={() => admin.pausedStreams.resume(environmentId, stream)}
                  shownIn={[keys.pausedStreams(environmentId)]}
                  done="The stream is resumed. Held email is sent, oldest first."
                >
                  <p>
                    Its held email is sent. Mailbox providers refuse senders from 0.3 % of complaints: check
                    first how the recipients were asked, and that they can unsubscribe.
                  </p>
                </ChangeButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
