/** Parts without texts and without access to the service: the portal uses them, too. */
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

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
export function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copyText(text).then(() => setCopied(true))];
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

/** A name and a value; nothing is shown for an empty item. */
export type Fact = readonly [string, ReactNode] | false | null | undefined | '';

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
