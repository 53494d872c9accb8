import type { OperationId } from '@postrider/client';
import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useState } from 'react';
import { useMay, useRefusal } from '../api/access.ts';
import { formatDateTime, formatDayTime, formatRelative, formatUtc } from './format.ts';
import { type Fact, useCopied } from './plain.tsx';

export { Card, Facts, Figures, Loading } from './plain.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  readonly icon?: LucideIcon;
  /** Shows only the icon; the text is its accessible name. */
  readonly iconOnly?: boolean;
  readonly busy?: boolean;
  /** What it calls in the end. Who may not call it sees no button. */
  readonly operation?: OperationId;
}

export function Button({
  variant = 'default',
  small,
  icon: Icon,
  iconOnly,
  busy,
  children,
  className,
  operation,
  ...rest
}: ButtonProps) {
  const may = useMay();
  if (operation && !may(operation)) return null;
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

/** Shows something to users who may call an operation. With `explain`, others see why it is not there. */
export function May({
  operation,
  explain,
  children,
}: {
  operation: OperationId;
  explain?: string;
  children: ReactNode;
}) {
  const refusal = useRefusal()(operation);
  if (refusal === null) return children;
  return explain ? (
    <span className="small muted">
      {explain} It {refusal}.
    </span>
  ) : null;
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
      <span className={short ? 'nowrap' : 'truncate'}>
        {short ? `${value.slice(0, 4)}…${value.slice(-6)}` : value}
      </span>
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
