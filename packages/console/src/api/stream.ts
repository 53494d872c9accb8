import type { StreamEvent } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Scope } from './scope.ts';

/** `connecting` until something arrives; `lost` when nothing arrives any more, although the client reconnects. */
export type Connection = 'connecting' | 'live' | 'lost';

/** The service sends something every 15 s. */
const SILENCE_MS = 20_000;

/**
 * Follows the changes of an environment while a component is shown. After an interruption all queries of the page run
 * again, because errors and missed changes would stay.
 */
export function useStream(scope: Scope, onChange: (change: StreamEvent) => void): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const client = useQueryClient();
  const current = useRef(onChange);
  current.current = onChange;

  useEffect(() => {
    const abort = new AbortController();
    let wasLost = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const lose = () => {
      wasLost = true;
      setConnection('lost');
    };
    const onConnection = (isAlive: boolean) => {
      clearTimeout(silence);
      if (!isAlive) return lose();
      silence = setTimeout(lose, SILENCE_MS);
      setConnection('live');
      if (wasLost) void client.invalidateQueries({ type: 'active' });
      wasLost = false;
    };
    const follow = async () => {
      const changes = await scope.stream({ signal: abort.signal, onConnection });
      for await (const change of changes) current.current(change);
    };
    follow().catch(() => !abort.signal.aborted && lose());
    return () => {
      abort.abort();
      clearTimeout(silence);
    };
  }, [scope, client]);

  return connection;
}
