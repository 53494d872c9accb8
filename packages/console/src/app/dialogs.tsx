/** The dialogs and messages of the frame, which are loaded after it. */
export { ToastList } from '../ui/toast-list.tsx';
export { EnvironmentSwitcher } from './environment-switcher.tsx';
export { Palette } from './palette.tsx';
export { ShortcutList } from './shortcut-list.tsx';
