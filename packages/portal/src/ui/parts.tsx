import { Loading, Notice, useCopied } from '@postrider/console/ui/plain.tsx';
import { lookOf } from '@postrider/console/ui/status.tsx';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeft, Check, Copy, type LucideIcon } from 'lucide-react';
import {
  type ButtonHTMLAttributes,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Page } from '../api/contract.ts';
import { CallError, usePortal } from '../api/session.ts';
import { detailText, errorText } from './error-texts.ts';
import { useLanguage } from './i18n.ts';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  readonly icon?: LucideIcon;
  readonly busy?: boolean;
}

export function Button({ variant = 'default', small, icon: Icon, busy, children, ...rest }: ButtonProps) {
  const classes = ['button', variant !== 'default' && `button-${variant}`, small && 'button-small'];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      {...(busy && { 'aria-busy': true, disabled: true })}
      {...rest}
    >
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </button>
  );
}

/** Shows something to sessions with a scope. */
export function May({ scope, children }: { scope: string; children: ReactNode }) {
  return usePortal().may(scope) ? children : null;
}

/** The head of a screen. */
export function PageHead({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="page-head">
      <div className="grow">
        <h1 className="break" tabIndex={-1}>
          {title}
        </h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </div>
  );
}

/** A link to the list that a screen belongs to. */
export function Back({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="back" href={to}>
      <ArrowLeft className="icon" aria-hidden="true" />
      {children}
    </a>
  );
}

/** A moment in the reader's time zone. */
export function Time({ at, isRelative }: { at: string; isRelative?: boolean }) {
  const { dateTime, relative } = useLanguage();
  const full = dateTime(at);
  return (
    <time dateTime={at} title={full} className="number">
      {isRelative ? relative(at) : full}
    </time>
  );
}

/** A status as an icon and a word. `value` chooses the look, `word` is in the reader's language. */
export function Status({ value, word }: { value: string; word: string }) {
  const { icon: Icon, tone } = lookOf(value);
  return (
    <span className={`badge tone-${tone}`}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}

export function CopyId({ value }: { value: string }) {
  const { t } = useLanguage();
  const [copied, copy] = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" className="copy" onClick={() => copy(value)}>
      <span className="visually-hidden">{copied ? t.common.copied : t.common.copy}</span>
      <span className="truncate">{value}</span>
      <Icon aria-hidden="true" />
    </button>
  );
}

/** Text in a monospaced font, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const { t } = useLanguage();
  const [copied, copy] = useCopied();
  const name = copied ? t.common.copied : `${t.common.copy}: ${label}`;
  const Icon = copied ? Check : Copy;
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code-text" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <button
        type="button"
        className="button button-quiet button-small button-icon"
        aria-label={name}
        title={name}
        onClick={() => copy(text)}
      >
        <Icon aria-hidden="true" />
      </button>
    </div>
  );
}

export { Notice } from '@postrider/console/ui/plain.tsx';

/** An error in the reader's language, with its details; in English what has no text of its own. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useLanguage();
  if (!error) return null;
  const call = error instanceof CallError ? error : null;
  const { title, original } = call
    ? errorText(call, t)
    : { title: error instanceof Error ? error.message : String(error), original: null };
  return (
    <Notice tone="bad" title={title}>
      {original && <p lang="en">{original}</p>}
      {call && call.details.length > 0 && (
        <ul className="stack-tight">
          {call.details.map((detail) => (
            <DetailLine key={`${detail.path} ${detail.message}`} detail={detail} />
          ))}
        </ul>
      )}
      {onRetry && (
        <div>
          <Button small onClick={onRetry}>
            {t.common.retry}
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** What is wrong with one field. */
function DetailLine({ detail }: { detail: CallError['details'][number] }) {
  const { t, tag } = useLanguage();
  const { label, within, text, original } = detailText(detail, t);
  const isEnglish = tag === 'en' && original !== null;
  return (
    <li className="break">
      {label && <strong>{label}</strong>} {within && <code>{within}</code>} {isEnglish ? original : text}
      {original !== null && !isEnglish && original !== text && (
        <>
          {' '}
          <span className="small muted" lang="en">
            ({original})
          </span>
        </>
      )}
    </li>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
    </div>
  );
}

export const SayContext = createContext<(message: string) => void>(() => undefined);

/** Returns a function that tells the result of an action above the screen, and to screen readers. */
export const useSay = () => useContext(SayContext);

/**
 * Asks for confirmation, or for what an action needs, within the page: in a frame that is as high as its page, a dialog
 * in the middle of the window could be out of sight. It takes the focus, closes with Escape, and returns the focus.
 */
export function Ask({
  title,
  action,
  danger,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string;
  danger?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useLanguage();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    head.current?.focus();
    return () => before?.focus();
  }, []);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <form
      className="card ask"
      aria-label={title}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <div className="card-head">
        <h2 className="break" ref={head} tabIndex={-1}>
          {title}
        </h2>
      </div>
      <div className="card-body stack">
        {children}
        <ErrorNotice error={error} />
      </div>
      <div className="card-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

const PAGE = 50;

/** A list of the service, loaded page by page. */
export function usePaged<Item>(
  key: readonly unknown[],
  path: string,
  query: Readonly<Record<string, string>> = {},
  everyMs: number | false = false,
) {
  const { call } = usePortal();
  return useInfiniteQuery({
    queryKey: [...key, query],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call<Page<Item>>('GET', path, { query: { ...query, limit: PAGE, cursor: pageParam } }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: everyMs,
  });
}

export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
}

/** A list as a table, with a button for the next page. */
export function PagedTable<Item>({
  label,
  list,
  columns,
  keyOf,
  empty,
}: {
  label: string;
  list: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  empty: ReactNode;
}) {
  const { t } = useLanguage();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  if (error && rows.length === 0) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading label={t.common.loading} />;
  if (rows.length === 0 && !hasNextPage) return <section className="card">{empty}</section>;
  return (
    <section className="card" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="table-wrap" tabIndex={0} aria-label={label}>
        <table className="table">
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ name, cell }) => (
                  <td key={name} data-name={name}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hasNextPage && (
        <div className="card-foot">
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.common.more}
          </Button>
        </div>
      )}
    </section>
  );
}
