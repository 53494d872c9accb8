import { useEffect, useRef, useState } from 'react';
import { type Connection, type MessageRow, type Scope, useStream } from '../../api/index.ts';

/** The list is read at most once in this time, however many events the stream sends. */
const LOOK_EVERY_MS = 2_000;
/** The most rows that are reloaded at once. */
const MAX_REFRESHED = 10;

interface Live {
  /** Messages that arrived after the list was read, newest first. */
  readonly fresh: readonly MessageRow[];
  readonly connection: Connection;
  clear(): void;
}

/**
 * Follows the environment while a list is shown. New messages are counted, not inserted, so that rows do not move;
 * existing rows get their new status in place.
 */
export function useLive(
  scope: Scope,
  readNewest: () => Promise<readonly MessageRow[]>,
  shown: readonly MessageRow[] | undefined,
  onRefreshed: (row: MessageRow) => void,
): Live {
  const [fresh, setFresh] = useState<readonly MessageRow[]>([]);
  const current = useRef({ readNewest, shown, onRefreshed });
  current.current = { readNewest, shown, onRefreshed };
  const due = useRef({
    hasNew: false,
    changed: new Set<string>(),
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });

  const look = async () => {
    const { changed, hasNew } = due.current;
    const known = new Set(current.current.shown?.map(({ id }) => id));
    if (hasNew && current.current.shown) {
      due.current.hasNew = false;
      const newest = await current.current.readNewest();
      setFresh(newest.filter(({ id }) => !known.has(id)));
    }
    const ids = [...changed].filter((id) => known.has(id)).slice(0, MAX_REFRESHED);
    changed.clear();
    for (const id of ids) current.current.onRefreshed(await scope.message(id));
  };
  const soon = () => {
    due.current.timer ??= setTimeout(() => {
      due.current.timer = undefined;
      // If this fails, it is repeated with the next change.
      if (document.visibilityState === 'visible') void look().catch(() => undefined);
    }, LOOK_EVERY_MS);
  };
  const lookAtAll = () => {
    due.current.hasNew = true;
    for (const { id, status } of current.current.shown ?? [])
      if (status === 'pending') due.current.changed.add(id);
    soon();
  };
  const connection = useStream(scope, ({ event, data }) => {
    if (event === 'reset') return lookAtAll();
    if (event === 'message.accepted') due.current.hasNew = true;
    if (data.message_id) due.current.changed.add(data.message_id);
    soon();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream starts up to a second after it was opened, so changes since the list was read would be missed
  useEffect(() => {
    if (connection === 'live') lookAtAll();
  }, [connection]);
  useEffect(() => () => clearTimeout(due.current.timer), []);

  return { fresh, connection, clear: () => setFresh([]) };
}
