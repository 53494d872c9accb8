import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useState } from 'react';
import { formatDateTime, formatDayTime, formatRelative, formatUtc } from './format.ts';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  readonly icon?: LucideIcon;
  /** Shows only the icon; the text is its accessible name. */
  readonly iconOnly?: boolean;
  readonly busy?: boolean;
}

export function Button({
  variant = 'default',
  small,
  icon: Icon,
  iconOnly,
  busy,
  children,
  className,
  ...rest
}: ButtonProps) {
  const classes = [
    'button',
    variant !== 'default' && `button-${variant}`,
    small && 'button-small',
    iconOnly && 'button-icon',
    className,
  ];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      {...(busy && { 'aria-busy': true, disabled: true })}
      {...(iconOnly && typeof children === 'string' && { 'aria-label': children, title: children })}
      {...rest}
    >
      {Icon && <Icon aria-hidden="true" />}
      {!iconOnly && children}
    </button>
  );
}

/** Writes text to the clipboard, even if the page came over plain HTTP and has no clipboard API. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copyText(text).then(() => setCopied(true))];
}

/** An id or another short value that a click copies. */
export function CopyId({ value, label = 'Copy', short }: { value: string; label?: string; short?: boolean }) {
  const [copied, copy] = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className="copy"
      title={`${label}: ${value}`}
      onClick={(event) => {
        event.stopPropagation();
        copy(value);
      }}
    >
      <span className="visually-hidden">{copied ? 'Copied' : label}</span>
      <span className="truncate">{short ? `${value.slice(0, 4)}…${value.slice(-6)}` : value}</span>
      <Icon aria-hidden="true" />
    </button>
  );
}

/** Text in a monospaced font, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopied();
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code-text" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <Button variant="quiet" small iconOnly icon={copied ? Check : Copy} onClick={() => copy(text)}>
        {copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
      </Button>
    </div>
  );
}

/** A moment in the user's time zone; UTC on hover. */
export function Time({ at, format = 'full' }: { at: string; format?: 'full' | 'short' | 'relative' }) {
  const shown = {
    full: formatDateTime,
    short: formatDayTime,
    relative: (iso: string) => formatRelative(iso),
  };
  const full = format === 'full' ? '' : `${formatDateTime(at)}\n`;
  return (
    <time dateTime={at} title={`${full}${formatUtc(at)}`} className="number">
      {shown[format](at)}
    </time>
  );
}

/** The current time, updated every `everyMs` while the component is on the screen. */
export function useNow(everyMs: number, isOn = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return now;
}

export function Card({
  title,
  actions,
  children,
  foot,
  flush,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  /** Without padding: for tables. */
  flush?: boolean;
}) {
  return (
    <section className="card">
      {title && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions && <div className="row">{actions}</div>}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
      {foot && <div className="card-foot">{foot}</div>}
    </section>
  );
}

/** The head of a screen. Sets the title of the tab. */
export function PageHead({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
  return (
    <div className="page-head">
      <div className="grow">
        <h1 className="break">{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </div>
  );
}

/** A name and a value; nothing is shown for an empty item. */
type Fact = readonly [string, ReactNode] | false | null | undefined | '';

/** The copies and the reply address of a rendered email, without those that it does not have. */
export function copyFacts({
  cc,
  bcc,
  reply_to,
}: {
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly reply_to?: string;
}): readonly Fact[] {
  return [cc && ['Cc', cc.join(', ')], bcc && ['Bcc', bcc.join(', ')], reply_to && ['Reply to', reply_to]];
}

export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className="facts">
      {items.map(
        (item) =>
          item && (
            <div key={item[0]} style={{ display: 'contents' }}>
              <dt>{item[0]}</dt>
              <dd>{item[1] ?? '–'}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Grey bars while something loads. */
export function Loading({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="card-body stack-tight" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all the same
        <div key={index} className="skeleton" style={{ width: `${92 - ((index * 17) % 45)}%` }} />
      ))}
    </div>
  );
}

/** A row of named figures in large type. */
export function Figures({ label, items }: { label: string; items: readonly (readonly [string, string])[] }) {
  return (
    <section className="card" aria-label={label}>
      <dl className="stats">
        {items.map(([name, value]) => (
          <div key={name} className="stat">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
