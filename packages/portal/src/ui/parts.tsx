import type { Page } from '@postrider/client';
import { useClose, useShow } from '@postrider/console/ui/dialogs.tsx';
import { ErrorsByLabel, submitting, useTask } from '@postrider/console/ui/form.tsx';
import { Button, type ButtonLook, Loading, Notice } from '@postrider/console/ui/plain.tsx';
import { Pages, type PagesProps, usePaged as usePages } from '@postrider/console/ui/table.tsx';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { CallError, usePortal } from '../api/session.ts';
import { detailText, errorText } from './error-texts.ts';
import { useLanguage } from './i18n.ts';

/** Shows something to sessions with a scope. */
export function May({ scope, children }: { scope: string; children: ReactNode }) {
  return usePortal().may(scope) ? children : null;
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

/** What the service says about the fields that it has refused. */
export const detailsOf = (error: unknown) => (error instanceof CallError ? error.details : []);

/** An error in the reader's language, with its details; in English what has no text of its own. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useLanguage();
  if (!error) return null;
  const { title, original } =
    error instanceof CallError
      ? errorText(error, t)
      : { title: error instanceof Error ? error.message : String(error), original: null };
  const details = detailsOf(error);
  return (
    <Notice tone="bad" title={title}>
      {original && <p lang="en">{original}</p>}
      {details.length > 0 && (
        <ul className="stack-tight">
          {details.map((detail) => (
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
  const { label, within, text, original } = detailText(detail, useLanguage());
  return (
    <li className="break">
      {label && <strong>{label}</strong>} {within && <code>{within}</code>} {text}
      {original !== null && original !== text && (
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

/** Shows at each field within why the service has refused it. */
export function Refused({ error, children }: { error: unknown; children: ReactNode }) {
  const language = useLanguage();
  const texts = detailsOf(error).map((detail) => {
    const { label, within, text } = detailText(detail, language);
    return [label, `${within} ${text}`];
  });
  return <ErrorsByLabel value={Object.fromEntries(texts)}>{children}</ErrorsByLabel>;
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

interface AskProps {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Gives the focus to what has the ref while it is shown, and then returns it. */
export function useFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    part.current?.focus();
    return () => before?.focus();
  }, []);
  return part;
}

/**
 * Asks for confirmation, or for what an action needs, within the page: in a frame that is as high as its page, a dialog
 * in the middle of the window could be out of sight. It takes the focus, closes with Escape, and returns the focus.
 */
export function Ask({ title, action, danger, onConfirm, children }: AskProps) {
  const { t } = useLanguage();
  const close = useClose();
  const { busy, error, run } = useTask();
  const head = useFocus<HTMLHeadingElement>();
  const confirm = async () => {
    await onConfirm();
    close();
  };
  return (
    <form
      className="card ask"
      aria-label={title}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      onSubmit={submitting(() => void run(confirm))}
    >
      <div className="card-head">
        <h2 className="break" ref={head} tabIndex={-1}>
          {title}
        </h2>
      </div>
      <div className="card-body stack">
        <Refused error={error}>{children}</Refused>
        <ErrorNotice error={error} />
      </div>
      <div className="card-foot">
        <Button onClick={close}>{t.common.cancel}</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** A button that asks before it does something. What it asks stays, whatever the page reads meanwhile. */
export function AskButton({ icon, ...asked }: AskProps & Pick<ButtonLook, 'icon'>) {
  const show = useShow();
  return (
    <Button icon={icon} onClick={() => show(<Ask {...asked} />)}>
      {asked.action}
    </Button>
  );
}

/** Reads from the service. Returns the data, what to show instead of it, and the query. */
export function useRead<Data>(
  queryKey: readonly unknown[],
  path: string,
  { query, ...options }: Partial<UseQueryOptions<Data>> & { query?: Readonly<Record<string, number>> } = {},
) {
  const { call } = usePortal();
  const read = useQuery<Data>({
    queryKey,
    queryFn: () => call<Data>('GET', path, query && { query }),
    ...options,
  });
  const { data, error, refetch } = read;
  const placeholder = error ? (
    <ErrorNotice error={error} onRetry={() => void refetch()} />
  ) : (
    !data && <Loading />
  );
  return [data, placeholder, read] as const;
}

/** A list of the service, loaded page by page. */
export function usePaged<Item>(
  key: readonly unknown[],
  path: string,
  query: Readonly<Record<string, string>> = {},
  everyMs: number | false = false,
) {
  const { call } = usePortal();
  const read = (page: object) => call<Page<Item>>('GET', path, { query: { ...query, ...page } });
  return usePages([...key, query], read, { refetchInterval: everyMs });
}

/** A list as a table, with a button for the next page. */
export function PagedTable<Item>(props: PagesProps<Item>) {
  return <Pages {...props} ErrorNotice={ErrorNotice} />;
}
