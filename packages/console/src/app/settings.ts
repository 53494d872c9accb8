import { useSyncExternalStore } from 'react';
import { accountOf, useSession } from '../api/session.ts';

/** The user's preferences, stored in this browser. Of the service's data only names and ids are stored. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'comfortable';
  readonly shortcuts: boolean;
  /** The environments that one account opened most recently, newest first. */
  readonly recent: readonly { id: string; name: string; tenant: string }[];
  readonly recentOf: string;
  /** Filters of messages that the user has named, without recipients. */
  readonly views: readonly SavedView[];
}

export interface SavedView {
  readonly environmentId: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

const KEY = 'postrider.settings';
const DEFAULTS: Settings = {
  theme: 'system',
  density: 'compact',
  shortcuts: true,
  recent: [],
  recentOf: '',
  views: [],
};
const MAX_RECENT = 6;
const MAX_VIEWS = 50;

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return DEFAULTS;
  }
}

let settings = read();
const listeners = new Set<() => void>();

function apply(): void {
  const { dataset } = document.documentElement;
  if (settings.theme === 'system') delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.density = settings.density;
}
apply();

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // If the browser cannot store them, they last until the page is closed.
  }
  show();
}

function show(): void {
  apply();
  for (const listener of listeners) listener();
}

// Otherwise the next change here would undo those of the other tabs.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  settings = read();
  show();
});

const recentFor = ({ recent, recentOf }: Settings, account: string) => (recentOf === account ? recent : []);

/** Puts an environment first. Those of another account are forgotten. */
export function rememberEnvironment(account: string, environment: Settings['recent'][number]): void {
  const others = recentFor(settings, account).filter(({ id }) => id !== environment.id);
  changeSettings({ recent: [environment, ...others].slice(0, MAX_RECENT), recentOf: account });
}

const isSame = (a: SavedView) => (b: SavedView) => a.environmentId === b.environmentId && a.name === b.name;

/** Keeps a view, in place of one with the same name. */
export function saveView(view: SavedView): void {
  const others = settings.views.filter((each) => !isSame(view)(each));
  changeSettings({ views: [...others, view].slice(-MAX_VIEWS) });
}

export function removeView(view: SavedView): void {
  changeSettings({ views: settings.views.filter((each) => !isSame(view)(each)) });
}

export const currentSettings = () => settings;

export function useSettings(): Settings {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => settings,
  );
}

/** The environments that the signed-in user opened most recently. */
export function useRecent(): Settings['recent'] {
  const account = accountOf(useSession());
  return recentFor(useSettings(), account);
}
