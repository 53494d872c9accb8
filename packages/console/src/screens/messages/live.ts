import { useEffect, useRef, useState } from 'react';
import type { MessageRow, Scope } from '../../api/scope.ts';

/** The list is read at most once in this time, however many events the stream sends. */
const LOOK_EVERY_MS = 2_000;
const POLL_EVERY_MS = 10_000;
/** The most rows that are reloaded at once. */
const MAX_REFRESHED = 10;

interface Live {
  /** Messages that arrived after the list was read, newest first. */
  readonly fresh: readonly MessageRow[];
  /** Whether changes come through the stream; otherwise the list is polled. */
  readonly isStreaming: boolean;
  clear(): void;
}

interface Change {
  readonly message_id: string;
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
  const [isStreaming, setStreaming] = useState(false);
  const current = useRef({ readNewest, shown, onRefreshed });
  current.current = { readNewest, shown, onRefreshed };

  useEffect(() => {
    let isOver = false;
    let hasNew = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const changed = new Set<string>();

    const look = async () => {
      const known = new Set(current.current.shown?.map(({ id }) => id));
      if (hasNew && current.current.shown) {
        hasNew = false;
        const newest = await current.current.readNewest();
        if (!isOver) setFresh(newest.filter(({ id }) => !known.has(id)));
      }
      const ids = [...changed].filter((id) => known.has(id)).slice(0, MAX_REFRESHED);
      changed.clear();
      for (const id of ids) {
        const row = await scope.message(id);
        if (!isOver) current.current.onRefreshed(row);
      }
    };
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = null;
        // If this fails, it is repeated with the next change.
        if (document.visibilityState === 'visible') void look().catch(() => undefined);
      }, LOOK_EVERY_MS);
    };

    const lookAtAll = () => {
      hasNew = true;
      for (const { id, status } of current.current.shown ?? []) if (status === 'pending') changed.add(id);
      soon();
    };

    const source = new EventSource(scope.streamUrl);
    source.addEventListener('open', () => {
      setStreaming(true);
      // The stream starts up to a second later, so changes since the list was read would be missed.
      lookAtAll();
    });
    // There were more changes than the stream reported.
    source.addEventListener('reset', lookAtAll);
    source.addEventListener('error', () => setStreaming(false));
    const onChange = (event: MessageEvent<string>) => {
      const { message_id } = JSON.parse(event.data) as Change;
      if (event.type === 'message.accepted') hasNew = true;
      changed.add(message_id);
      soon();
    };
    for (const type of [
      'message.accepted',
      'delivery_run.updated',
      'attempt.finished',
      'delivery_run.feedback',
    ])
      source.addEventListener(type, onChange);
    const poll = setInterval(() => {
      if (source.readyState !== EventSource.OPEN) lookAtAll();
    }, POLL_EVERY_MS);

    return () => {
      isOver = true;
      source.close();
      clearInterval(poll);
      if (timer) clearTimeout(timer);
    };
  }, [scope]);

  return { fresh, isStreaming, clear: () => setFresh([]) };
}
