import { createContext, type ReactNode, useContext, useState } from 'react';

const ShowContext = createContext<(dialog: ReactNode) => void>(() => undefined);
const CloseContext = createContext<() => void>(() => undefined);

/** Returns a function that shows a dialog over the screen. */
export const useShow = () => useContext(ShowContext);

/** Returns a function that closes the dialog that calls it. */
export const useClose = () => useContext(CloseContext);

/** A screen and the dialog over it, at most one at a time. The dialog is removed with the screen. */
export function WithDialogs({ children }: { children: ReactNode }) {
  const [dialog, setDialog] = useState<ReactNode>(null);
  return (
    <ShowContext value={setDialog}>
      {children}
      <CloseContext value={() => setDialog(null)}>{dialog}</CloseContext>
    </ShowContext>
  );
}
