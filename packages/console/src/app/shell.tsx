import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { ChevronsUpDown, Keyboard, LogOut, Menu, Moon, Search, Sun, SunMoon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { accountOf, path, signOut, useEnvironmentNames, useMay, useSession } from '../api/index.ts';
import { submitting } from '../ui/form.tsx';
import { Button } from '../ui/parts.tsx';
import { Notice } from '../ui/plain.tsx';
import { EnvironmentName } from '../ui/target.tsx';
import { toast } from '../ui/toasts.ts';
import { type Page, usePages } from './navigation.ts';
import { changeSettings, rememberEnvironment, useRecent, useSettings } from './settings.ts';
import { usePaletteKey, useShortcuts } from './shortcuts.ts';

const THEMES = { system: ['light', SunMoon], light: ['dark', Sun], dark: ['system', Moon] } as const;

function ThemeSwitch() {
  const { theme } = useSettings();
  const [next, icon] = THEMES[theme];
  return (
    <Button variant="quiet" iconOnly icon={icon} onClick={() => changeSettings({ theme: next })}>
      {`Theme: ${theme}. Switch to ${next}`}
    </Button>
  );
}

function NavLinks({ pages, prefix, title }: { pages: readonly Page[]; prefix: string; title: string }) {
  if (pages.length === 0) return null;
  return (
    <div className="nav-group">
      <div className="nav-title">{title}</div>
      {pages.map(({ path: to, name, icon: Icon }) => (
        <Link key={to} to={`${prefix}${to}`} activeProps={{ className: 'active' }}>
          <Icon aria-hidden="true" />
          {name}
        </Link>
      ))}
    </div>
  );
}

/** The dialogs of the frame. They are loaded after its first rendering; null until then. Throws if they do not arrive. */
function useDialogs() {
  const [dialogs, setDialogs] = useState<typeof import('./dialogs.tsx') | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => void import('./dialogs.tsx').then(setDialogs, setError), []);
  if (error) throw error;
  return dialogs;
}

/** Finds ids, business ids, names and addresses: for operators anywhere; for others in their environment. */
function SearchBox({
  inputRef,
  environmentId,
}: {
  inputRef: React.RefObject<HTMLInputElement | null>;
  environmentId: string | undefined;
}) {
  const may = useMay();
  const navigate = useNavigate();
  const submit = () => {
    const q = inputRef.current?.value.trim() ?? '';
    if (!q) return;
    if (inputRef.current) inputRef.current.value = '';
    // The keys are shortcuts again, such as those of the message that opens.
    inputRef.current?.blur();
    void navigate({ to: '/lookup', search: { q, environment: environmentId } });
  };
  if (!may('findByText')) return null;
  const label = `Find an order, a name, an id${may('getEnvironmentDeliveryContent') ? ' or an address' : ''}`;
  return (
    <search className="search">
      <form onSubmit={submitting(submit)}>
        <Search aria-hidden="true" />
        <input
          ref={inputRef}
          className="input"
          type="search"
          name="q"
          autoComplete="off"
          spellCheck={false}
          aria-label={label}
          placeholder={label}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}

/** The frame around every screen. */
export function Shell() {
  const session = useSession();
  const navigate = useNavigate();
  const { environmentId: fromAddress } = useParams({ strict: false });
  const isOperator = session.role === 'operator';
  const canSwitch = useMay()('listTenants') && isOperator;
  const pages = usePages();
  const [last] = useRecent();
  const environmentId = fromAddress ?? session.environment_id ?? last?.id;
  const names = useEnvironmentNames(fromAddress ?? session.environment_id ?? undefined);
  const account = accountOf(session);
  useEffect(() => {
    if (names && isOperator)
      rememberEnvironment(account, { id: names.id, name: names.name, tenant: names.tenantName });
  }, [names, isOperator, account]);
  const [dialog, setDialog] = useState<'palette' | 'shortcuts' | 'environments' | null>(null);
  const dialogs = useDialogs();
  const [isNavOpen, setNavOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '/' });
  const before = useRef('/');

  // When another screen opens, the menu closes, and the screen gets the focus, unless that is already in it or in a field, such as that
  // of the palette: somebody may type before the screen is there. The first screen takes none.
  useEffect(() => {
    setNavOpen(false);
    const isFirst = before.current === '/';
    before.current = shown;
    const { activeElement } = document;
    if (isFirst || activeElement instanceof HTMLInputElement || main.current?.contains(activeElement)) return;
    main.current?.focus({ preventScroll: true });
  }, [shown]);

  const go = (screen: string) =>
    environmentId ? () => void navigate({ to: path`/e/${environmentId}/${screen}` }) : undefined;
  usePaletteKey(() => setDialog('palette'));
  useShortcuts({
    '/': () => search.current?.focus(),
    '?': () => setDialog('shortcuts'),
    'g o': go('overview'),
    'g m': go('messages'),
    'g c': isOperator ? go('channels') : undefined,
    'g t': isOperator ? go('templates') : undefined,
  });

  const close = () => setDialog(null);
  return (
    <div className="shell">
      <button type="button" className="button skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <nav className={isNavOpen ? 'nav open' : 'nav'} aria-label="Screens">
        <Link to="/" className="brand">
          <img src="./icon.svg" alt="" />
          Postrider
        </Link>
        {environmentId && (
          <NavLinks pages={pages.environment} prefix={path`/e/${environmentId}/`} title="Environment" />
        )}
        <NavLinks pages={pages.installation} prefix="" title="Installation" />
        <div className="nav-foot">
          <ThemeSwitch />
          <Button variant="quiet" iconOnly icon={Keyboard} onClick={() => setDialog('shortcuts')}>
            Keyboard shortcuts
          </Button>
          <Button
            variant="quiet"
            icon={LogOut}
            onClick={() => void signOut().catch(() => toast('Signing out failed. Try again.'))}
          >
            Sign out
          </Button>
        </div>
      </nav>
      <header className="top">
        <Button
          className="menu-button"
          variant="quiet"
          iconOnly
          icon={Menu}
          aria-expanded={isNavOpen}
          onClick={() => setNavOpen(!isNavOpen)}
        >
          Menu
        </Button>
        {canSwitch ? (
          <button type="button" className="scope" onClick={() => setDialog('environments')}>
            {names ? <EnvironmentName names={names} /> : <span>Choose an environment</span>}
            <ChevronsUpDown className="icon" aria-hidden="true" />
            <span className="visually-hidden">Switch the environment</span>
          </button>
        ) : (
          <span className="scope">
            <EnvironmentName names={names} />
          </span>
        )}
        <SearchBox inputRef={search} environmentId={environmentId} />
      </header>
      {dialogs && <dialogs.ToastList />}
      <main className="main" id="main" data-scroll-restoration-id="main" ref={main} tabIndex={-1}>
        <div className="page">
          {session.hasReplaced && (
            <Notice tone="warn" title="There was a new sign-in in another tab.">
              <p>You are now signed in as {session.actor ?? `the token of ${session.environment_name}`}.</p>
            </Notice>
          )}
          <Outlet />
        </div>
      </main>
      {dialogs && dialog === 'shortcuts' && <dialogs.ShortcutList onClose={close} />}
      {dialogs && dialog === 'environments' && canSwitch && <dialogs.EnvironmentSwitcher onClose={close} />}
      {dialogs && dialog === 'palette' && (
        <dialogs.Palette
          onClose={close}
          environmentId={environmentId}
          onSwitch={canSwitch ? () => setDialog('environments') : undefined}
          onShortcuts={() => setDialog('shortcuts')}
        />
      )}
    </div>
  );
}
