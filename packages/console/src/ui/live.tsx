import { WifiOff } from 'lucide-react';
import type { Connection } from '../api/stream.ts';
import { formatClock, formatDuration } from './format.ts';
import { useNow } from './parts.tsx';

const SECOND_MS = 1_000;

/** How fresh the page is: "live" only while the stream delivers, otherwise the time of the last read. */
export function Freshness({ connection, at }: { connection: Connection; at: number }) {
  if (connection === 'live') return 'live';
  return `as of ${formatClock(new Date(at).toISOString())}`;
}

/** Tells that changes do not arrive, and how old the page is. */
export function LostNotice({ connection, at }: { connection: Connection; at: number }) {
  const isLost = connection === 'lost';
  const now = useNow(SECOND_MS, isLost);
  return (
    <div role="status" className="live-note">
      {isLost && (
        <div className="notice notice-warn">
          <WifiOff aria-hidden="true" />
          <span>
            <strong>Not connected.</strong> This page is{' '}
            {formatDuration(Math.floor(Math.max(0, now - at) / SECOND_MS) * SECOND_MS)} old. It reconnects and
            updates by itself.
          </span>
        </div>
      )}
    </div>
  );
}
