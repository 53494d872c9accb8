import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/tables.css';
import './styles/overlays.css';
import './styles/message.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

/**
 * In the POSIX locale Chromium's language is `en-US@posix`, which is not a valid language tag: uPlot would throw while
 * it loads, and the overview would fail.
 */
function replaceInvalidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}

replaceInvalidLanguage();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
