import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Layers, Mail, Webhook } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type MessageRow, useEnvironment } from '../../api/index.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { lookOf, Status, Tag } from '../../ui/display.ts';
import { Time } from '../../ui/parts.tsx';

const ROW_HEIGHTS = { compact: 35, comfortable: 43 };
const COLUMNS = 5;
const OVERSCAN = 12;

const KIND_ICONS: Readonly<Record<string, typeof Mail>> = { email: Mail, webhook: Webhook };

export function KindIcon({ kind }: { kind: string }) {
  const Icon = KIND_ICONS[kind] ?? Layers;
  return <Icon className="icon" aria-hidden="true" />;
}

/** The recipient's address or another name for them; a note if their data was erased. */
export function recipientOf({ recipient, erased_at }: Pick<MessageRow, 'recipient' | 'erased_at'>): string {
  if (erased_at) return 'an erased recipient';
  const { email, name, id } = recipient as Record<string, unknown>;
  return [email, name, id].find((each): each is string => typeof each === 'string') ?? '–';
}

function Deliveries({ runs }: { runs: MessageRow['delivery_runs'] }) {
  if (runs.length === 0) return <span className="muted">none</span>;
  return (
    <span className="row" style={{ flexWrap: 'nowrap', gap: '6px' }}>
      {runs.slice(-4).map(({ id, channel, status }) => {
        const { word, icon: Icon, tone } = lookOf(status);
        return (
          <span key={id} className={`badge tone-${tone}`} title={`${channel.name}: ${word}`}>
            <KindIcon kind={channel.kind} />
            <Icon aria-hidden="true" />
            <span className="visually-hidden">{`${channel.name}: ${word}`}</span>
          </span>
        );
      })}
      {runs.length > 4 && <span className="small muted">+{runs.length - 4}</span>}
    </span>
  );
}

/** A table of messages. Only the rows in view are in the page. */
export function MessageTable({
  rows,
  density,
  current,
  onCurrent,
  onOpen,
  onEnd,
  top,
}: {
  rows: readonly MessageRow[];
  density: 'compact' | 'comfortable';
  current: string | null;
  onCurrent: (id: string) => void;
  onOpen: (row: MessageRow) => void;
  /** Called when the last rows come into view. */
  onEnd: () => void;
  top: ReactNode;
}) {
  const { screen } = useEnvironment();
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHTS[density],
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each number of rows
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 5 && virtual.scrollOffset) onEnd();
  }, [last, rows.length]);

  const index = rows.findIndex(({ id }) => id === current);
  const move = (step: number) => () => {
    const next = Math.max(0, Math.min(rows.length - 1, index < 0 ? 0 : index + step));
    const row = rows[next];
    if (!row) return;
    onCurrent(row.id);
    virtual.scrollToIndex(next);
  };
  const openCurrent = () => {
    const row = rows[index];
    if (row) onOpen(row);
  };
  useShortcuts({ j: move(1), k: move(-1), Enter: index >= 0 ? openCurrent : undefined });

  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="list-scroll" ref={scroller} tabIndex={0} aria-label="List of messages">
      {top && (
        <div
          className="row"
          style={{ position: 'sticky', top: 38, height: 0, zIndex: 2, justifyContent: 'center' }}
        >
          {top}
        </div>
      )}
      <table className="table" aria-rowcount={rows.length}>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Recipient</th>
            <th scope="col">Event</th>
            <th scope="col">Deliveries</th>
            <th scope="col" className="end">
              Accepted
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Spacer height={above} />}
          {items.map(({ index: position, key }) => {
            const row = rows[position];
            if (!row) return null;
            return (
              <tr
                key={key}
                aria-rowindex={position + 1}
                className={row.id === current ? 'clickable current' : 'clickable'}
                aria-current={row.id === current ? 'true' : undefined}
                onClick={() => onOpen(row)}
              >
                <td>
                  <Status value={row.status} />
                </td>
                <td className="truncate" style={{ maxWidth: 320 }}>
                  <Link
                    to={screen`/messages/${row.id}`}
                    onFocus={() => onCurrent(row.id)}
                    onClick={(event) => {
                      event.preventDefault();
                      event.stopPropagation();
                      onOpen(row);
                    }}
                  >
                    {recipientOf(row)}
                  </Link>
                </td>
                <td className="truncate" style={{ maxWidth: 240 }}>
                  <code>{row.event_key}</code> {row.test && <Tag>test</Tag>}
                </td>
                <td>
                  <Deliveries runs={row.delivery_runs} />
                </td>
                <td className="end muted">
                  <Time at={row.created_at} format="short" />
                </td>
              </tr>
            );
          })}
          {below > 0 && <Spacer height={below} />}
        </tbody>
      </table>
    </section>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr className="spacer">
      <td colSpan={COLUMNS} style={{ height }} />
    </tr>
  );
}
