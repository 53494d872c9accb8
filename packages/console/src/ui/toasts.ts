import { Toast } from '@base-ui/react/toast';

/** Where `ToastList` finds the messages. */
export const toasts = Toast.createToastManager();

/** Shows a short message about a completed action. */
export const toast = (message: string): void => void toasts.add({ description: message });
