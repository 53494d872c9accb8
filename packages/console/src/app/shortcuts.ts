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

/**
 * Calls the handlers of keys that are pressed outside fields and dialogs, unless the user has turned shortcuts off. A
 * name with two keys, such as "g m", means one after the other.
 */
export function useShortcuts(handlers: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if (!currentSettings().shortcuts || event.defaultPrevented || event.altKey) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      if (event.ctrlKey || event.metaKey) return;
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
      const handler = (sequence && current.current[sequence]) || current.current[event.key];
      first = { key: event.key, at: event.timeStamp };
      if (!handler) return;
      // Enter on a link or a button activates it.
      if (event.key === 'Enter' && (event.target as Element | null)?.closest?.('a, button')) return;
      event.preventDefault();
      first = null;
      handler();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Calls `open` for Ctrl-K or Cmd-K, wherever the focus is. */
export function usePaletteKey(open: () => void): void {
  const current = useRef(open);
  current.current = open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!currentSettings().shortcuts || event.key.toLowerCase() !== 'k') return;
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
