import { Notice, PageHead, PartTextsContext } from '@postrider/console/ui/plain.tsx';
import { VerifyCard } from '@postrider/console/ui/verify.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Session } from './api/contract.ts';
import {
  CallError,
  endWithPage,
  openPortal,
  type Portal,
  PortalContext,
  queryClient,
  usePortal,
} from './api/session.ts';
import { Catalogue, EventScreen } from './screens/catalogue.tsx';
import { Deliveries } from './screens/deliveries.tsx';
import { DeliveryScreen } from './screens/delivery.tsx';
import { EndpointScreen } from './screens/endpoint.tsx';
import { CreateEndpoint, EditEndpoint } from './screens/endpoint-form.tsx';
import { Endpoints } from './screens/endpoints.tsx';
import { Replay } from './screens/replay.tsx';
import { Usage } from './screens/usage.tsx';
import { reportExpired } from './ui/frame.ts';
import { type Language, LanguageContext, loadLanguage, useLanguage } from './ui/i18n.ts';
import { ErrorNotice, SayContext } from './ui/parts.tsx';
import { parseRoute, type Route, to, useHash } from './ui/router.ts';
import { applyTheme, logoOf } from './ui/theme.ts';

/** Sections with what a session needs to see them. */
const SECTIONS = [
  ['endpoints', 'channels:read'],
  ['deliveries', 'messages:read'],
  ['events', 'event-types:read'],
  ['verify', null],
  ['usage', 'consumers:read'],
] as const;

/** The notice comes this many milliseconds before the session ends. */
const WARN_MS = 300_000;

function Screen({ section, route: { parts, query } }: { section: string; route: Route }) {
  const { t } = useLanguage();
  const [, id = '', action] = parts;
  if (section === 'deliveries') return id ? <DeliveryScreen key={id} id={id} /> : <Deliveries />;
  if (section === 'replay') return <Replay channelId={query.get('endpoint') ?? ''} />;
  if (section === 'events') return id ? <EventScreen eventKey={id} /> : <Catalogue />;
  if (section === 'verify')
    return (
      <>
        <PageHead title={t.nav.verify} about={t.verify.about} />
        <VerifyCard texts={t.verify} />
      </>
    );
  if (section === 'usage') return <Usage />;
  if (id === 'new') return <CreateEndpoint />;
  if (id && action === 'edit') return <EditEndpoint id={id} />;
  return id ? <EndpointScreen key={id} id={id} /> : <Endpoints />;
}

function Head() {
  const { consumer, theme, return_url: back } = usePortal();
  const { t } = useLanguage();
  const logo = theme && logoOf(theme);
  return (
    <header className="portal-head">
      {logo && <img className="portal-logo" src={logo} alt="" referrerPolicy="no-referrer" />}
      <strong className="grow break">{consumer.name ?? consumer.id}</strong>
      <Return url={back}>{t.common.return}</Return>
    </header>
  );
}

/** A link to where the user came from. It replaces the page around the frame; other schemes than https and http are left out. */
function Return({ url, children }: { url: string | null; children: ReactNode }) {
  if (!url || !/^https?:\/\//i.test(url)) return null;
  return (
    <a className="button button-small" href={url} target="_top" rel="noreferrer">
      {children}
    </a>
  );
}

function Shell() {
  const portal = usePortal();
  const { t, dateTime } = useLanguage();
  const hash = useHash();
  const route = parseRoute(hash);
  const [said, setSaid] = useState<{ text: string; on: string } | null>(null);
  const [isEnding, setEnding] = useState(false);
  const sections = SECTIONS.filter(([, scope]) => scope === null || portal.may(scope));
  const section = route.parts[0] ?? sections[0]?.[0] ?? 'verify';
  const current = section === 'replay' ? 'deliveries' : section;
  const first = useRef(hash);
  // The next screen is read from its heading. The first one takes the focus from nobody.
  useEffect(() => {
    if (first.current === hash) return;
    first.current = '';
    document.querySelector('h1')?.focus();
  }, [hash]);
  useEffect(() => {
    const left = Date.parse(portal.expires_at) - Date.now() - WARN_MS;
    const timer = setTimeout(() => setEnding(true), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [portal.expires_at]);
  return (
    <SayContext value={(text) => setSaid({ text, on: window.location.hash })}>
      <div className="portal">
        <Head />
        <nav className="portal-nav" aria-label={t.nav.label}>
          {sections.map(([name]) => (
            <a key={name} href={to([name])} aria-current={current === name ? 'page' : undefined}>
              {t.nav[name]}
            </a>
          ))}
        </nav>
        <div role="status">
          {isEnding && <Notice tone="warn" title={t.start.endsSoon(dateTime(portal.expires_at))} />}
          {said?.on === hash && <Notice tone="ok" title={said.text} />}
        </div>
        <main>
          <Screen section={section} route={route} />
        </main>
      </div>
    </SayContext>
  );
}

/** What is shown without a session, and why. */
function Outside({ state, returnUrl }: { state: 'none' | 'ended' | CallError; returnUrl: string | null }) {
  const { t } = useLanguage();
  const [tone, title, text] = {
    none: ['info', t.start.noneTitle, t.start.none] as const,
    ended: ['warn', t.start.expiredTitle, t.start.expired] as const,
    invalid: ['bad', t.start.invalidTitle, t.start.invalid] as const,
  }[typeof state === 'string' ? state : 'invalid'];
  return (
    <main className="portal">
      <h1 className="visually-hidden">{t.nav.endpoints}</h1>
      {state instanceof CallError && state.status !== 401 ? (
        <ErrorNotice error={state} />
      ) : (
        <Notice tone={tone} title={title}>
          <p>{text}</p>
        </Notice>
      )}
      <div>
        <Return url={returnUrl}>{t.common.return}</Return>
      </div>
    </main>
  );
}

type State = 'none' | 'ended' | CallError | Portal;

/** The portal. `start` resolves with the session, or with why there is none. */
export function App({ start }: { start: Promise<Session | 'none' | CallError> }) {
  const [language, setLanguage] = useState<Language | null>(null);
  const [state, setState] = useState<State>('none');
  const [returnUrl, setReturnUrl] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      queryClient.clear();
      setState('ended');
      reportExpired();
    };
    const open = async () => {
      const session = await start;
      const isOpen = typeof session === 'object' && !(session instanceof CallError);
      const chosen = await loadLanguage((isOpen && session.locale) || navigator.language);
      document.documentElement.lang = chosen.tag;
      setLanguage(chosen);
      if (!isOpen) {
        setState(session);
        if (session === 'none' || session.status === 401) reportExpired();
        return;
      }
      applyTheme(session.theme, document.documentElement);
      setReturnUrl(session.return_url);
      setState(openPortal(session, end));
      endWithPage(session.token);
      // A timer of the browser holds at most 2^31 - 1 ms; a session lasts a day at most.
      timer = setTimeout(end, Math.max(0, Date.parse(session.expires_at) - Date.now()));
    };
    void open();
    return () => clearTimeout(timer);
  }, [start]);
  if (!language) return null;
  const isOpen = typeof state === 'object' && !(state instanceof CallError);
  return (
    <LanguageContext value={language}>
      <PartTextsContext value={language.t.common}>
        {isOpen ? (
          <QueryClientProvider client={queryClient}>
            <PortalContext value={state}>
              <Shell />
            </PortalContext>
          </QueryClientProvider>
        ) : (
          <Outside state={state} returnUrl={returnUrl} />
        )}
      </PartTextsContext>
    </LanguageContext>
  );
}
