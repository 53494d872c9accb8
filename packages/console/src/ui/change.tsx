import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Key } from '../api/keys.ts';
import { useInvalidate } from '../api/session.ts';
import { Confirm, KEEP_OPEN } from './overlays.tsx';
import { SecretDialog } from './secret-once.tsx';
import { toast } from './toasts.ts';

type ChangeProps<Result> = Omit<ComponentProps<typeof Confirm>, 'open' | 'onConfirm'> & {
  readonly change: () => Promise<Result>;
  /** The keys of the queries that show it, which are read again. */
  readonly shownIn: readonly Key[];
};

function useReadAgain() {
  const invalidate = useInvalidate();
  return (keys: readonly Key[]) => Promise.all(keys.map(invalidate));
}

/** Asks for a change, or for what it needs, makes it, and says so. */
export function Change({
  change,
  shownIn,
  done,
  ...confirm
}: ChangeProps<unknown> & {
  /** What is said then; without it, what the change returns, if that is a text. */
  readonly done?: string;
}) {
  const readAgain = useReadAgain();
  const onConfirm = async () => {
    const result = await change();
    await readAgain(shownIn);
    const text = done ?? result;
    if (typeof text === 'string') toast(text);
  };
  return <Confirm open {...confirm} onConfirm={onConfirm} />;
}

/** A change that returns a secret, which is shown until the user closes the dialog. */
export function SecretChange({
  change,
  shownIn,
  secret: { about, ...shown },
  ...confirm
}: ChangeProps<string> & {
  readonly secret: { readonly title: string; readonly label: string; readonly about?: ReactNode };
}) {
  const readAgain = useReadAgain();
  const [secret, setSecret] = useState<string | null>(null);
  const onConfirm = async () => {
    setSecret(await change());
    await readAgain(shownIn);
    return KEEP_OPEN;
  };
  if (secret === null) return <Confirm open {...confirm} onConfirm={onConfirm} />;
  return (
    <SecretDialog {...shown} value={secret} onClose={confirm.onClose}>
      {about}
    </SecretDialog>
  );
}
