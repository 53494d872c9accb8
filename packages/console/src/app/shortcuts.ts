import { useEffect, useRef } from 'react';
import { currentSettings } from './settings.ts';

/** Every shortcut, in the form of the list of shortcuts. */
export const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'Search for an order, a name, an id or an address'],
  ['Ctrl K', 'Open the palette: screens, environments, settings'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['Enter', 'Open the row'],
  ['r', 'Replay the open message'],
  ['c', 'Cancel its scheduled delivery'],
  ['g o', 'Go to the overview'],
  ['g m', 'Go to the messages'],
  ['g c', 'Go to the channels'],
  ['g t', 'Go to the templates'],
  ['?', 'Show this list'],
];

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.shadowRoot !== null);

const isDialogOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

const SEQUENCE_MS = 1_200;

/** Calls the newest `onKey` for each key that is pressed, unless the user has turned shortcuts off. */
function useKeyDown(onKey: (event: KeyboardEvent) => void): void {
  const current = useRef(onKey);
  current.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => currentSettings().shortcuts && current.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/**
 * Calls the handlers of keys that are pressed outside fields and dialogs, unless the user has turned shortcuts off. A
 * name with two keys, such as "g m", means one after the other.
 */
export function useShortcuts(handlers: Readonly<Record<string, (() => void) | undefined>>): void {
  const first = useRef<{ key: string; at: number } | null>(null);
  useKeyDown((event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (isTyping(event.target) || isDialogOpen()) return;
    const { key, timeStamp: at } = event;
    const isSecond = first.current && at - first.current.at < SEQUENCE_MS;
    const handler = (isSecond && handlers[`${first.current?.key} ${key}`]) || handlers[key];
    first.current = { key, at };
    if (!handler) return;
    // Enter on a link or a button activates it.
    if (key === 'Enter' && (event.target as Element | null)?.closest?.('a, button')) return;
    event.preventDefault();
    first.current = null;
    handler();
  });
}

/** Calls `open` for Ctrl-K or Cmd-K, wherever the focus is. */
export function usePaletteKey(open: () => void): void {
  useKeyDown((event) => {
    if (event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey) return;
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    open();
  });
}
