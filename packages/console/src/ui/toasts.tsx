import { Toast } from '@base-ui/react/toast';
import { CircleCheck, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './parts.tsx';

/** Returns a function that shows a short message about a completed action. */
export function useToast(): (message: string) => void {
  const { add } = Toast.useToastManager();
  return (description) => void add({ description });
}

const TOAST_MS = 6_000;

/** Keeps the messages for `ToastList`, the newest three. */
export function Toasts({ children }: { children: ReactNode }) {
  return <Toast.Provider timeout={TOAST_MS}>{children}</Toast.Provider>;
}

/** The component makes each a dialog, but a page has only those that the user opened. */
const NO_DIALOG = { role: 'group', 'aria-modal': undefined };

/** The messages, in a row of their own: they cover nothing. */
export function ToastList() {
  const { toasts, close } = Toast.useToastManager();
  return (
    <Toast.Viewport className="toasts">
      {toasts.map((toast) => (
        <Toast.Root key={toast.id} toast={toast} className="toast" {...NO_DIALOG} swipeDirection={[]}>
          <CircleCheck aria-hidden="true" />
          <Toast.Description className="grow break" />
          <Button variant="quiet" small iconOnly icon={X} onClick={() => close(toast.id)}>
            Dismiss
          </Button>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  );
}
