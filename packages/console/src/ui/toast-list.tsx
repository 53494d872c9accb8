import { Toast } from '@base-ui/react/toast';
import { CircleCheck, X } from 'lucide-react';
import { Button } from './parts.tsx';
import { toasts } from './toasts.ts';

const TOAST_MS = 6_000;

/** The component makes each a dialog, but a page has only those that the user opened. */
const NO_DIALOG = { role: 'group', 'aria-modal': undefined };

function Messages() {
  const { toasts: shown, close } = Toast.useToastManager();
  return (
    <Toast.Viewport className="toasts">
      {shown.map((toast) => (
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

/** The newest three messages, in a row of their own: they cover nothing. */
export function ToastList() {
  return (
    <Toast.Provider toastManager={toasts} timeout={TOAST_MS}>
      <Messages />
    </Toast.Provider>
  );
}
