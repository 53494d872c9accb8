import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useInvalidate } from '../api/session.ts';
import { Target } from '../app/environment.tsx';
import { Confirm, Dialog, KEEP_OPEN } from './overlays.tsx';
import { SecretOnce } from './secret-once.tsx';
import { toast } from './toasts.ts';

type ChangeProps<Result> = Omit<ComponentProps<typeof Confirm>, 'onConfirm'> & {
  readonly change: () => Promise<Result>;
  /** The keys of queries that are read again after the change, even if it has failed. */
  readonly shownIn?: readonly Key[];
};

/** Asks for a change, or for what it needs, makes it, and says so. */
export function Change<Result>({
  change,
  shownIn = [],
  done,
  after,
  ...confirm
}: ChangeProps<Result> & {
  /** What is said then; without it, what the change returns, if that is a text. */
  readonly done?: string;
  /** The dialog that is shown after the change, until the user closes it. */
  readonly after?: (result: Result) => ReactNode;
}) {
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

/** A change that returns a secret, which is shown until the user closes the dialog. */
export function SecretChange({
  secret: { title, label, about },
  ...change
}: ChangeProps<string> & {
  readonly secret: { readonly title: string; readonly label: string; readonly about?: ReactNode };
}) {
  const shown = (value: string) => (
    <Dialog title={title} close="Done">
      <SecretOnce value={value} label={label} />
      {about}
    </Dialog>
  );
  return <Change {...change} after={shown} />;
}
