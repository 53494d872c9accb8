import '@postrider/console/styles/tokens.css';
import '@postrider/console/styles/base.css';
import '@postrider/console/styles/controls.css';
import '@postrider/console/styles/parts.css';
import '@postrider/console/styles/tables.css';
import './ui/portal.css';
import { createRoot } from 'react-dom/client';
import type { Session } from './api/contract.ts';
import { CallError, send } from './api/session.ts';
import { App } from './app.tsx';
import { reportHeight } from './ui/frame.ts';

/** Exchanges the link in the fragment for a session. The link leaves the address at once; it works only once. */
async function redeem(): Promise<Session | 'none'> {
  const { location } = window;
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  const environment = new URLSearchParams(location.search).get('environment');
  if (!link) return 'none';
  window.history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  return send<Session>('POST', '/portal/session', { body: { link, environment } });
}

reportHeight();
const root = document.getElementById('root');
const start = redeem().catch((error: unknown) => (error instanceof CallError ? error : new CallError(0)));
if (root) createRoot(root).render(<App start={start} />);
