/** Parts without access to the service: the portal uses them, too, with texts in its languages. */
import { Check, CircleAlert, CircleCheck, Copy, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react';

interface PartTexts {
  readonly loading: string;
  readonly copy: string;
  readonly copied: string;
  readonly more: string;
  /** What the title of the tab ends with. */
  readonly site?: string;
}

export const PartTextsContext = createContext<PartTexts>({
  loading: 'Loading',
  copy: 'Copy',
  copied: 'Copied',
  more: 'More',
  site: 'Postrider',
});

/** How a button looks, and a link that looks like one. */
export interface ButtonLook {
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet' | undefined;
  readonly small?: boolean | undefined;
  readonly icon?: LucideIcon | undefined;
}

export const buttonClass = ({ variant = 'default', small }: ButtonLook, ...more: unknown[]): string =>
  ['button', variant !== 'default' && `button-${variant}`, small && 'button-small', ...more]
    .filter(Boolean)
    .join(' ');

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Shows only the icon; the text is its accessible name. */
  readonly iconOnly?: boolean;
  readonly busy?: boolean;
}

/** Unlike `disabled`, this keeps the keyboard focus on the button. It stops clicks, and Enter in a form. */
const BUSY = {
  'aria-busy': true,
  'aria-disabled': true,
  onClick: (event: MouseEvent) => event.preventDefault(),
};

export function Button({
  variant,
  small,
  icon: Icon,
  iconOnly,
  busy,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass({ variant, small }, iconOnly && 'button-icon', className)}
      {...(iconOnly && typeof children === 'string' && { 'aria-label': children, title: children })}
      {...rest}
      {...(busy && BUSY)}
    >
      {Icon && <Icon aria-hidden="true" />}
      {!iconOnly && children}
    </button>
  );
}

/** The head of a screen. Sets the title of the tab. Scripts can move the focus to the heading. */
export function PageHead({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
}) {
  const { site } = useContext(PartTextsContext);
  useEffect(() => {
    document.title = site ? `${title} · ${site}` : title;
  }, [title, site]);
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

/** Whether text was just copied, and a function that copies it. */
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
export function CopyId({ value, label, short }: { value: string; label?: string; short?: boolean }) {
  const texts = useContext(PartTextsContext);
  const [copied, copy] = useCopied();
  const Icon = copied ? Check : Copy;
  const name = label ?? texts.copy;
  return (
    <button
      type="button"
      className="copy"
      title={`${name}: ${value}`}
      onClick={(event) => {
        event.stopPropagation();
        copy(value);
      }}
    >
      <span className="visually-hidden">{copied ? texts.copied : name}</span>
      <span className={short ? 'nowrap' : 'truncate'}>
        {short ? `${value.slice(0, 4)}…${value.slice(-6)}` : value}
      </span>
      <Icon aria-hidden="true" />
    </button>
  );
}

/** Text in a monospaced font, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const texts = useContext(PartTextsContext);
  const [copied, copy] = useCopied();
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code-text" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <Button variant="quiet" small iconOnly icon={copied ? Check : Copy} onClick={() => copy(text)}>
        {copied ? texts.copied : `${texts.copy}: ${label}`}
      </Button>
    </div>
  );
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

const ICONS = { info: Info, warn: TriangleAlert, bad: CircleAlert, ok: CircleCheck };

export function Notice({
  tone = 'info',
  title,
  children,
  isContent,
}: {
  tone?: 'info' | 'warn' | 'bad' | 'ok';
  title?: ReactNode;
  children?: ReactNode;
  /** What the page is about, not an error of it: nothing is announced. */
  isContent?: boolean;
}) {
  const Icon = ICONS[tone];
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' && !isContent ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div className="stack-tight grow">
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** Values by their names; nothing is shown for one that is missing. */
export type FactItems = Readonly<Record<string, ReactNode>>;

const isMissing = (value: ReactNode) => value == null || value === false || value === '';

export function Facts({ items }: { items: FactItems }) {
  return (
    <dl className="facts">
      {Object.entries(items).map(
        ([name, value]) =>
          !isMissing(value) && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Grey bars while something loads. */
export function Loading({ rows = 4, label }: { rows?: number | undefined; label?: string }) {
  const { loading } = useContext(PartTextsContext);
  return (
    <div className="card-body stack-tight" role="status" aria-label={label ?? loading}>
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
