import type { OperationId } from '@postrider/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useMay, useRefusal } from '../api/access.ts';
import { formatDateTime, formatDayTime, formatRelative, formatUtc } from './format.ts';
import { type ButtonProps, type Fact, Button as PlainButton } from './plain.tsx';

export { Card, CodeBlock, CopyId, Facts, Figures, Loading, PageHead } from './plain.tsx';

interface OperationButtonProps extends ButtonProps {
  /** What it calls in the end. Who may not call it sees no button. */
  readonly operation?: OperationId;
}

export function Button({ operation, ...button }: OperationButtonProps) {
  const may = useMay();
  return operation && !may(operation) ? null : <PlainButton {...button} />;
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
