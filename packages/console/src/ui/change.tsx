import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useInvalidate } from '../api/session.ts';
import { Target } from '../app/environment.tsx';
import { Confirm, Dialog, KEEP_OPEN } from './overlays.tsx';
import { Button, type OperationProps, RowButton } from './parts.tsx';
import type { ButtonLook } from './plain.tsx';
import { SecretOnce } from './secret-once.tsx';
import { toast } from './toasts.ts';

interface ChangeProps<Result> extends Omit<ComponentProps<typeof Confirm>, 'onConfirm'> {
  readonly change: () => Promise<Result>;
  /** The keys of queries that are read again after the change, even if it has failed. */
  readonly shownIn?: readonly Key[];
  /** What is said then; without it, what the change returns, if that is a text. */
  readonly done?: string;
  /** The dialog that is shown after the change, until the user closes it. */
  readonly after?: (result: Result) => ReactNode;
}

/** Asks for confirmation, makes the change and reports it. */
export function Change<Result>({ change, shownIn = [], done, after, ...confirm }: ChangeProps<Result>) {
  const invalidate = useInvalidate();
  const [result, setResult] = useState<{ readonly value: Result } | null>(null);
  const onConfirm = async () => {
    const readAgain = () => Promise.all(shownIn.map(invalidate));
    const value = await change().catch((error: unknown) => {
      void readAgain();
      throw error;
    });
    if (after) setResult({ value });
    await readAgain();
    if (after) return KEEP_OPEN;
    const text = done ?? value;
    if (typeof text === 'string') toast(text);
  };
  if (result) return after?.(result.value);
  return <Confirm target={<Target />} {...confirm} onConfirm={onConfirm} />;
}

/** For `after`: shows a secret that a change returns. */
export const showSecret = (title: string, label: string, about?: ReactNode) => (value: string) => (
  <Dialog title={title} close="Done">
    <SecretOnce value={value} label={label} />
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
