import type { PostriderAdmin } from '@postrider/client';
import {
  type AnyRoute,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  useLocation,
  useRouter,
} from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { keys, path, useAdmin, useMay, useSession } from '../api/index.ts';
import { WithDialogs } from '../ui/dialogs.tsx';
import { Loading, PageHead } from '../ui/parts.tsx';
import { useRead } from '../ui/read.tsx';
import { usePageRefusal, usePages } from './navigation.ts';
import { ScreenError } from './screen-error.tsx';
import { Shell } from './shell.tsx';

/** Parses search parameters as plain text, so that URLs are readable. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : '';
}

/** The environment of an installation with exactly one; otherwise null. */
async function onlyEnvironment(admin: PostriderAdmin): Promise<string | null> {
  const tenants = await admin.tenants.page({ limit: 2 });
  const [tenant, another] = tenants.data;
  if (!tenant || another) return null;
  const environments = await admin.environments.of(tenant.id).page({ limit: 2 });
  return environments.data.length === 1 ? (environments.data[0]?.id ?? null) : null;
}

/** The token’s environment, the only environment, or the first screen of the installation that the user can read. */
function Start() {
  const session = useSession();
  const admin = useAdmin();
  const router = useRouter();
  const may = useMay();
  const { installation } = usePages();
  const elsewhere = installation[0]?.path ?? '/sessions';
  const [data] = useRead(
    keys.start(),
    async () => session.environment_id ?? (may('listTenants') ? onlyEnvironment(admin) : null),
  );
  useEffect(() => {
    // The user may have opened another screen by now.
    if (data === undefined || router.latestLocation.pathname !== '/') return;
    void router.navigate({ to: data ? path`/e/${data}` : elsewhere, replace: true });
  }, [data, router, elsewhere]);
  return <Loading />;
}

/** The first screen of an environment that the user can read. */
function FirstScreen() {
  const { environmentId } = environmentRoute.useParams();
  const { environment } = usePages();
  return <Navigate to={`${path`/e/${environmentId}`}/${environment[0]?.path ?? 'overview'}`} replace />;
}

/** Keeps integrators in the environment of their session, whatever the URL says. */
function EnvironmentGate() {
  const session = useSession();
  const { environmentId } = environmentRoute.useParams();
  if (session.environment_id !== null && session.environment_id !== environmentId)
    return (
      <PageHead
        title="Not in your environment"
        about={`You are signed in to ${session.tenant_name} / ${session.environment_name}. Sign out to use another token.`}
      />
    );
  return <Outlet key={environmentId} />;
}

const root = createRootRoute({
  component: Shell,
  errorComponent: ScreenError,
  notFoundComponent: () => (
    <PageHead title="Page not found" about="Check the address, or press Ctrl K to find a page." />
  ),
});

const startRoute = createRoute({ getParentRoute: () => root, path: '/', component: Start });
const environmentRoute = createRoute({
  getParentRoute: () => root,
  path: '/e/$environmentId',
  component: EnvironmentGate,
});

type Load = () => Promise<{ readonly Screen: ComponentType }>;

/** A screen whose code is loaded when it is first opened. Users who cannot see it read why, instead of letting its requests fail. */
function later(at: string, load: Load) {
  const Screen = lazy(async () => ({ default: (await load()).Screen }));
  function Gated() {
    const shown = useLocation({ select: ({ pathname }) => pathname });
    const refusal = usePageRefusal(at);
    if (refusal) return <PageHead {...refusal} />;
    return (
      <WithDialogs at={shown}>
        <Suspense fallback={<Loading />}>
          <Screen />
        </Suspense>
      </WithDialogs>
    );
  }
  // Not the router's own lazy component: it reloads the page if a file is missing, also while the service is away.
  const preload = async () => {
    await load().catch(() => undefined);
  };
  return Object.assign(Gated, { preload });
}

type Search = Record<string, string | undefined>;
const validateSearch = (search: Record<string, unknown>): Search => search as Search;

type Screens = readonly (readonly [path: string, load: Load])[];

const environmentScreens: Screens = [
  ['messages', () => import('../screens/messages/screen.tsx')],
  ['messages/$messageId', () => import('../screens/message/screen.tsx')],
  ['overview', () => import('../screens/overview/environment.tsx')],
  ['send', () => import('../screens/send.tsx')],
  ['usage', () => import('../screens/usage.tsx')],
  ['channels', () => import('../screens/channels/list.tsx')],
  ['channels/new', () => import('../screens/channels/create.tsx')],
  ['channels/$channelId', () => import('../screens/channels/detail.tsx')],
  ['consumers', () => import('../screens/consumers/list.tsx')],
  ['consumers/$consumerId', () => import('../screens/consumers/detail.tsx')],
  ['templates', () => import('../screens/templates/list.tsx')],
  ['templates/$templateId', () => import('../screens/templates/detail.tsx')],
  ['suppressions', () => import('../screens/suppressions.tsx')],
  ['settings', () => import('../screens/settings.tsx')],
  ['parts/$partType', () => import('../screens/parts/list.tsx')],
  ['parts/$partType/$partId', () => import('../screens/parts/detail.tsx')],
  ['event-types', () => import('../screens/event-types/list.tsx')],
  ['event-types/$eventKey', () => import('../screens/event-types/detail.tsx')],
  ['replays', () => import('../screens/replays.tsx')],
  ['tokens', () => import('../screens/tokens.tsx')],
  ['erasures', () => import('../screens/erasures.tsx')],
];
const installationScreens: Screens = [
  ['/overview', () => import('../screens/overview/installation.tsx')],
  ['/tenants', () => import('../screens/tenants/list.tsx')],
  ['/tenants/$tenantId', () => import('../screens/tenants/detail.tsx')],
  ['/plans', () => import('../screens/plans.tsx')],
  ['/audit-log', () => import('../screens/audit-log.tsx')],
  ['/operators', () => import('../screens/access/operators.tsx')],
  ['/operators/$operatorId', () => import('../screens/access/operator.tsx')],
  ['/operator-tokens', () => import('../screens/access/tokens.tsx')],
  ['/roles', () => import('../screens/access/roles.tsx')],
  ['/sessions', () => import('../screens/sessions.tsx')],
  ['/device', () => import('../screens/device.tsx')],
  ['/lookup', () => import('../screens/lookup.tsx')],
];

function routesOf<Parent extends AnyRoute>(screens: Screens, getParentRoute: () => Parent) {
  return screens.map(([at, load]) =>
    createRoute({ getParentRoute, path: at, validateSearch, component: later(at, load) }),
  );
}

const routeTree = root.addChildren([
  startRoute,
  environmentRoute.addChildren([
    createRoute({ getParentRoute: () => environmentRoute, path: '/', component: FirstScreen }),
    ...routesOf(environmentScreens, () => environmentRoute),
  ]),
  ...routesOf(installationScreens, () => root),
]);

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ScreenError,
    // Back returns to where the reader was in a list; another screen begins at its top.
    scrollRestoration: true,
    scrollToTopSelectors: ['#main'],
  });
}
