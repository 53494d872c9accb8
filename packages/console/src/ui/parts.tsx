import type { OperationId, SentContent } from '@postrider/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useMay, useRefusal } from '../api/access.ts';
import { useShow } from './dialogs.tsx';
import { formatDateTime, formatDayTime, formatRelative, formatUtc } from './format.ts';
import { type ButtonProps, type FactItems, Button as PlainButton } from './plain.tsx';

export { Card, CodeBlock, CopyId, Facts, Figures, Loading, PageHead } from './plain.tsx';

export interface OperationProps {
  /** The operation that it leads to. It is hidden from users who may not call that. */
  readonly operation?: OperationId | undefined;
}

type OperationButtonProps = ButtonProps & OperationProps & { readonly dialog?: ReactNode };

/** The ref of a button with a dialog. If the button is removed while it has the focus, such as by the change that its dialog makes, the screen gets the focus. */
const leaveFocus = (button: HTMLButtonElement) => () => {
  if (document.activeElement === button)
    queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true }));
};

/** A button, which can open a `dialog`. */
export function Button({ operation, dialog, ...button }: OperationButtonProps) {
  const may = useMay();
  const show = useShow();
  if (operation && !may(operation)) return null;
  const opens = dialog !== undefined && { onClick: () => show(dialog), ref: leaveFocus };
  return <PlainButton {...opens} {...button} />;
}

/** A button in a row of a table. `of` tells readers who do not see the table what it is about. */
export function RowButton({ of, children, ...button }: OperationButtonProps & { readonly of: string }) {
  return (
    <Button small variant="quiet" {...button}>
      {children}
      <span className="visually-hidden"> {of}</span>
    </Button>
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

/** A moment in the user's time zone; UTC on hover. Without one, `none` is shown. */
export function Time({
  at,
  format = 'full',
  none = '–',
}: {
  at: string | null;
  format?: 'full' | 'short' | 'relative';
  none?: string;
}) {
  if (at === null) return none;
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

/** A moment after a text; nothing without one. */
export const TextWithTime = ({ text, at }: { text: string; at: string | null | undefined }) =>
  at && (
    <>
      {text}
      <Time at={at} />
    </>
  );

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

type Copies = Partial<Pick<NonNullable<SentContent['email']>, 'cc' | 'bcc' | 'reply_to'>>;

/** The copies and the reply address of a rendered email, without those that it does not have. */
export function copyFacts({ cc, bcc, reply_to }: Copies): FactItems {
  return { Cc: cc?.join(', '), Bcc: bcc?.join(', '), 'Reply to': reply_to };
}
