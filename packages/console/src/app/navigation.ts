import {
  Activity,
  Braces,
  Building2,
  CreditCard,
  Eraser,
  FileClock,
  FilePen,
  Gauge,
  History,
  KeyRound,
  Languages,
  type LucideIcon,
  Mail,
  MailX,
  Radio,
  Send,
  Settings2,
  Users,
} from 'lucide-react';

export interface Page {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Whether only operators see it. */
  readonly isForOperators: boolean;
}

const page = (path: string, name: string, icon: LucideIcon, isForOperators = true): Page => ({
  path,
  name,
  icon,
  isForOperators,
});

/** The screens of an environment; paths are below `/e/<environment id>/`. */
export const ENVIRONMENT_PAGES: readonly Page[] = [
  page('overview', 'Overview', Gauge, false),
  page('messages', 'Messages', Mail, false),
  page('send', 'Send', Send, false),
  page('channels', 'Channels', Radio),
  page('templates', 'Templates', FilePen),
  page('parts/layouts', 'Layouts and languages', Languages),
  page('event-types', 'Event types', Braces),
  page('suppressions', 'Suppressions', MailX),
  page('replays', 'Bulk replay', History),
  page('tokens', 'Tokens', KeyRound),
  page('erasures', 'Erasures', Eraser),
  page('usage', 'Usage', CreditCard, false),
  page('settings', 'Settings', Settings2),
];

/** The screens of the whole installation. */
export const INSTALLATION_PAGES: readonly Page[] = [
  page('/overview', 'Needs action', Activity),
  page('/tenants', 'Tenants', Building2),
  page('/plans', 'Plans', CreditCard),
  page('/audit-log', 'Audit log', FileClock),
  page('/sessions', 'Sessions', Users),
];
