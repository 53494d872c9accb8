import type { OperationId } from '@postrider/client';
import {
  Activity,
  BadgeCheck,
  Bot,
  Braces,
  Building2,
  Contact,
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
  UserCog,
  Users,
} from 'lucide-react';
import { useMay, useRefusal, useSession } from '../api/index.ts';

export interface Page {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** What the screen reads; null for a screen of everybody. */
  readonly operation: OperationId | null;
  /** Whether only operators see it. */
  readonly isForOperators: boolean;
}

const page = (
  path: string,
  name: string,
  icon: LucideIcon,
  operation: OperationId | null,
  isForOperators = true,
): Page => ({ path, name, icon, operation, isForOperators });

/** The screens of an environment; paths are below `/e/<environment id>/`. */
const ENVIRONMENT_PAGES: readonly Page[] = [
  page('overview', 'Overview', Gauge, 'getEnvironmentStats', false),
  page('messages', 'Messages', Mail, 'searchMessages', false),
  page('send', 'Send', Send, 'createEnvironmentEvent', false),
  page('channels', 'Channels', Radio, 'listChannels'),
  page('consumers', 'Consumers', Contact, 'listConsumers'),
  page('templates', 'Templates', FilePen, 'listTemplates'),
  page('parts/layouts', 'Layouts and languages', Languages, 'listLayouts'),
  page('event-types', 'Event types', Braces, 'listEventTypes'),
  page('suppressions', 'Suppressions', MailX, 'listSuppressions'),
  page('replays', 'Bulk replay', History, 'listReplayBatches'),
  page('tokens', 'Tokens', KeyRound, 'listTokens'),
  page('erasures', 'Erasures', Eraser, 'listErasures'),
  page('usage', 'Usage', CreditCard, 'getTenantUsage', false),
  page('settings', 'Settings', Settings2, 'getEnvironment'),
];

/** The screens of the whole installation. */
const INSTALLATION_PAGES: readonly Page[] = [
  page('/overview', 'Needs action', Activity, 'overviewOfAttention'),
  page('/tenants', 'Tenants', Building2, 'listTenants'),
  page('/plans', 'Plans', CreditCard, 'listPlans'),
  page('/audit-log', 'Audit log', FileClock, 'listAuditLog'),
  page('/operators', 'Operators', UserCog, 'listOperators'),
  page('/operator-tokens', 'Operator tokens', Bot, 'listOperatorTokens'),
  page('/roles', 'Roles', BadgeCheck, 'listRoles'),
  page('/sessions', 'Sessions', Users, null),
];

/** Screens of operators that are not in the navigation. */
const OPERATORS_ONLY = ['/device'];

/** The screens that the signed-in user can read. */
export function usePages() {
  const isOperator = useSession().role === 'operator';
  const may = useMay();
  const isVisible = ({ operation, isForOperators }: Page) =>
    (isOperator || !isForOperators) && (operation === null || may(operation));
  return {
    environment: ENVIRONMENT_PAGES.filter(isVisible),
    installation: INSTALLATION_PAGES.filter(isVisible),
  };
}

/** The first part of a path, by which screens below another one belong to it. */
const screenOf = (path: string) => /^\/?[^/]*/.exec(path)?.[0];

/** The head of a screen that the user cannot see, which says why; null for one that they can. */
export function usePageRefusal(route: string): { readonly title: string; readonly about: string } | null {
  const { role, tenant_name, environment_name } = useSession();
  const refusalOf = useRefusal();
  const pages = [...ENVIRONMENT_PAGES, ...INSTALLATION_PAGES];
  const page = pages.find(({ path }) => screenOf(path) === screenOf(route));
  if (role !== 'operator' && (page?.isForOperators ?? OPERATORS_ONLY.includes(route)))
    return {
      title: 'For operators only',
      about:
        `You are signed in with a token of ${tenant_name} / ${environment_name}, which cannot use this screen. ` +
        'Sign out, and sign in with the admin token or with a link that an operator gives you.',
    };
  const refusal = page?.operation ? refusalOf(page.operation) : null;
  return refusal === null ? null : { title: 'You have no access to this screen', about: `It ${refusal}.` };
}
