import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/tables.css';
import './styles/overlays.css';
import './styles/message.css';
import './styles/chart.css';
import './styles/channels.css';
import './styles/filters.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
