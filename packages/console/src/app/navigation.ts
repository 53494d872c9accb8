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

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Whether only operators see it. */
  readonly isForOperators: boolean;
}

const place = (path: string, name: string, icon: LucideIcon, isForOperators = true): Place => ({
  path,
  name,
  icon,
  isForOperators,
});

/** The screens of an environment; paths are below `/e/<environment id>/`. */
export const ENVIRONMENT_PLACES: readonly Place[] = [
  place('overview', 'Overview', Gauge, false),
  place('messages', 'Messages', Mail, false),
  place('send', 'Send', Send, false),
  place('channels', 'Channels', Radio),
  place('templates', 'Templates', FilePen),
  place('parts/layouts', 'Layouts and languages', Languages),
  place('event-types', 'Event types', Braces),
  place('suppressions', 'Suppressions', MailX),
  place('replays', 'Bulk replay', History),
  place('tokens', 'Tokens', KeyRound),
  place('erasures', 'Erasures', Eraser),
  place('usage', 'Usage', CreditCard, false),
  place('settings', 'Settings', Settings2),
];

/** The screens of the whole installation. */
export const INSTALLATION_PLACES: readonly Place[] = [
  place('/overview', 'Needs action', Activity),
  place('/tenants', 'Tenants', Building2),
  place('/plans', 'Plans', CreditCard),
  place('/audit-log', 'Audit log', FileClock),
  place('/sessions', 'Sessions', Users),
];
