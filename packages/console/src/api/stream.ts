import type { StreamEvent } from '@postrider/client';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useMay } from './access.ts';
import type { Key } from './keys.ts';
import type { Scope } from './scope.ts';
import { isOfData } from './session.ts';

/** `connecting` until the stream has a position; `lost` when nothing arrives any more, although the client reconnects. */
export type Connection = 'connecting' | 'live' | 'lost';

/** The service sends something every 15 s. */
const SILENCE_MS = 20_000;

const isVisible = () => document.visibilityState === 'visible';

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/**
 * Follows the changes of an environment while a component is shown in a visible tab: a browser has few connections to one
 * service. A user who may not follow them sees no changes. After an interruption all queries of the page run again, because
 * errors and missed changes would stay. `onAlive` is called for everything that arrives, at least every 15 s.
 */
export function useStream(
  scope: Scope,
  onChange: (change: StreamEvent) => void,
  onAlive: () => void = () => undefined,
): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const may = useMay()('streamEnvironment');
  const isOn = useSyncExternalStore(onVisibility, isVisible) && may;
  const client = useQueryClient();
  const current = useRef({ onChange, onAlive });
  current.current = { onChange, onAlive };

  useEffect(() => {
    if (!isOn) return;
    const abort = new AbortController();
    let wasLost = false;
    // Without the session, whose end is then told as one.
    const readAgain = () => void client.invalidateQueries({ type: 'active', predicate: isOfData });
    const lose = () => {
      wasLost = true;
      setConnection('lost');
    };
    let silence = setTimeout(lose, SILENCE_MS);
    const onConnection = (isAlive: boolean) => {
      clearTimeout(silence);
      if (!isAlive) return lose();
      silence = setTimeout(lose, SILENCE_MS);
      setConnection('live');
      current.current.onAlive();
      if (wasLost) readAgain();
      wasLost = false;
    };
    const follow = async () => {
      const changes = await scope.stream({ signal: abort.signal, onConnection });
      for await (const change of changes) current.current.onChange(change);
    };
    follow().catch(() => {
      if (abort.signal.aborted) return;
      lose();
      // The service refuses the stream. The queries find out why.
      readAgain();
    });
    return () => {
      abort.abort();
      clearTimeout(silence);
      setConnection('connecting');
    };
  }, [scope, client, isOn]);

  return connection;
}

/** Changes are collected for this long before queries run again. */
const COLLECT_MS = 300;

/**
 * Runs the queries whose keys start with these again while a component is shown: after each change for which `concerns` is
 * true, at most once in `everyMs`, and when the stream is live again. Without `concerns` after whatever arrives, also while
 * nothing changes, because the state of a channel can change without a delivery; lists of several loaded pages then stay.
 */
export function useRefresh(
  scope: Scope,
  keys: readonly Key[],
  { everyMs = COLLECT_MS, concerns }: { everyMs?: number; concerns?: (change: StreamEvent) => boolean } = {},
): Connection {
  const client = useQueryClient();
  const current = useRef(keys);
  current.current = keys;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(0);
  const read = () => {
    timer.current = undefined;
    readAt.current = Date.now();
    for (const queryKey of current.current)
      void client.invalidateQueries({ queryKey, ...(!concerns && { predicate: isShort }) });
  };
  const soon = () => {
    timer.current ??= setTimeout(read, Math.max(COLLECT_MS, readAt.current + everyMs - Date.now()));
  };
  const connection = useStream(
    scope,
    (change) => (change.event === 'reset' || concerns?.(change)) && soon(),
    concerns ? undefined : soon,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream reports no changes from before it was live, so those since the queries ran would be missed
  useEffect(() => {
    if (connection === 'live') soon();
  }, [connection]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return connection;
}

/**
 * Whether a query has at most one page, and is not reading the next one: a reader of later pages would wait for all of them, and one who
 * has just asked for the second page would not get it.
 */
const isShort = ({ state }: Query) =>
  ((state.data as { pages?: object[] } | undefined)?.pages?.length ?? 0) < 2 &&
  !(state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore);
