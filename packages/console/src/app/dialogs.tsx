/** The dialogs of the frame. They are loaded when the first one is opened. */
export { EnvironmentSwitcher } from './environment-switcher.tsx';
export { Palette } from './palette.tsx';
export { ShortcutList } from './shortcut-list.tsx';
