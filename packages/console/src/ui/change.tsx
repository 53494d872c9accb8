import { type ReactNode, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useInvalidate } from '../api/session.ts';
import { useClose } from './dialogs.tsx';
import { ErrorNotice, Notice } from './feedback.tsx';
import { useTask } from './form.tsx';
import { Dialog, type DialogProps } from './overlays.tsx';
import { Button, CodeBlock, type OperationProps, RowButton } from './parts.tsx';
import type { ButtonLook } from './plain.tsx';
import { Target } from './target.tsx';
import { toast } from './toasts.ts';

interface ChangeProps<Result> extends Pick<DialogProps, 'onClose' | 'title' | 'wide' | 'noValidate'> {
  readonly change: () => Promise<Result>;
  /** The keys of queries that are read again after the change, even if it has failed. */
  readonly shownIn?: readonly Key[];
  /** What is said then; without it, what the change returns, if that is a text. */
  readonly done?: string;
  /** The dialog that is shown after the change, until the user closes it. */
  readonly after?: (result: Result) => ReactNode;
  /** Names what is changed; by default the tenant and the environment, if it is in one. */
  readonly target?: ReactNode;
  readonly action: string;
  readonly children?: ReactNode;
  readonly danger?: boolean;
  /** While there is nothing to do. */
  readonly disabled?: boolean;
  /** Shown instead of the error. */
  readonly problem?: ReactNode;
  /** Undoes what was typed; undefined while that is nothing. */
  readonly undo?: (() => void) | undefined;
}

/** Asks for confirmation, or for what a change needs, makes it and reports it. */
export function Change<Result>({
  change,
  shownIn = [],
  done,
  after,
  target = <Target />,
  action,
  children,
  danger = true,
  disabled = false,
  problem,
  undo,
  ...dialog
}: ChangeProps<Result>) {
  const invalidate = useInvalidate();
  const closeIt = useClose();
  const { onClose: close = closeIt } = dialog;
  const { busy, error, run } = useTask();
  const [result, setResult] = useState<{ readonly value: Result } | null>(null);
  const confirm = async () => {
    const readAgain = () => Promise.all(shownIn.map(invalidate));
    const value = await change().catch((failure: unknown) => {
      void readAgain();
      throw failure;
    });
    if (after) setResult({ value });
    await readAgain();
    if (after) return;
    const text = done ?? value;
    if (typeof text === 'string') toast(text);
    close();
  };
  if (result) return after?.(result.value);
  return (
    <Dialog
      {...dialog}
      onSubmit={() => void run(confirm)}
      foot={
        <>
          {undo && <Button onClick={undo}>Undo</Button>}
          <Button onClick={close}>Go back</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} disabled={disabled} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      {target}
      {children}
      {problem ?? <ErrorNotice error={error} />}
    </Dialog>
  );
}

/** A secret that the service shows once and never again. */
export function SecretOnce({ value, label }: { value: string; label: string }) {
  return (
    <>
      <Notice tone="warn" title={`Copy the ${label.toLowerCase()} now.`}>
        <p>It is not shown again: the service keeps no readable copy of it.</p>
      </Notice>
      <CodeBlock text={value} label={label} />
    </>
  );
}

/** For `after`: shows a secret that a change returns, if it is not empty. */
export const showSecret = (title: string, label: string, about?: ReactNode) => (value: string) => (
  <Dialog title={title} close="Done">
    {value && <SecretOnce value={value} label={label} />}
    {about}
  </Dialog>
);

/** A button that asks for a change of something; `inRow` of a table it is small, and screen readers announce what it changes. */
export function ChangeButton<Result>({
  label,
  of,
  inRow,
  icon,
  variant,
  small,
  operation,
  title = `${label} ${of}`,
  ...asked
}: Omit<ChangeProps<Result>, 'title'> &
  ButtonLook &
  OperationProps & {
    readonly label: string;
    /** The name of what it changes. */
    readonly of: string;
    readonly inRow?: boolean;
    /** The title of the question; by default the label and the name. */
    readonly title?: string;
  }) {
  const button = { icon, operation, dialog: <Change {...asked} title={title} />, children: label };
  if (inRow) return <RowButton of={of} {...button} {...(variant && { variant })} />;
  return <Button {...button} variant={variant} small={small} />;
}
