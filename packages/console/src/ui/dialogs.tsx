import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

export const ShowContext = createContext<(dialog: ReactNode) => void>(() => undefined);
const CloseContext = createContext<() => void>(() => undefined);

/** Returns a function that shows a dialog over the screen. */
export const useShow = () => useContext(ShowContext);

/** Returns a function that closes the dialog that calls it. */
export const useClose = () => useContext(CloseContext);

interface Shown {
  readonly dialog: ReactNode;
  /** Distinguishes it from the dialog that it replaces, whose state it must not take over. */
  readonly key: number;
  readonly at: string;
}

/**
 * A dialog, at most one at a time, and a function that shows it. A dialog is about what the path of the screen names, so it is gone
 * when that changes. One that is closed while it waits does not close its successor.
 * @param at the path of the screen
 */
export function useDialog(at: string): readonly [dialog: ReactNode, show: (dialog: ReactNode) => void] {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback(
    (dialog: ReactNode) => setShown((before) => ({ dialog, at, key: (before?.key ?? 0) + 1 })),
    [at],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: on the way back to the path, the dialog does not come back
  useEffect(() => setShown(null), [at]);
  const close = () => setShown((current) => (current === shown ? null : current));
  const dialog = shown?.at === at && (
    <CloseContext key={shown.key} value={close}>
      {shown.dialog}
    </CloseContext>
  );
  return [dialog, show];
}

/** A screen and the dialog over it. */
export function WithDialogs({ at, children }: { at: string; children: ReactNode }) {
  const [dialog, show] = useDialog(at);
  return (
    <ShowContext value={show}>
      {children}
      {dialog}
    </ShowContext>
  );
}
