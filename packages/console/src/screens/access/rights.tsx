import access from 'virtual:access';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Key, keys, path, useAdmin, useSession } from '../../api/index.ts';
import { TenantList, useEnvironmentsOf } from '../../app/environment-switcher.tsx';
import { useRead } from '../../ui/display.ts';
import { bind, Check, SelectField, toggled } from '../../ui/input.ts';

/** Which areas of scopes are shown together; others come last. */
const GROUPS: readonly (readonly [title: string, areas: readonly string[]])[] = [
  ['Messages', ['events', 'messages', 'replays', 'deliveries']],
  ['Channels and templates', ['channels', 'event-types', 'templates']],
  ['Recipients', ['suppressions', 'ignore_suppression', 'erasures']],
  ['Tenants', ['usage', 'tenants', 'tokens']],
];
const OTHERS = 'Installation';

const areaOf = (scope: string) => scope.split(':', 1)[0] ?? scope;
const groupOf = (scope: string) => GROUPS.find(([, areas]) => areas.includes(areaOf(scope)))?.[0] ?? OTHERS;

/**
 * Checkboxes for scopes, in groups. Every action of an area includes its `read`, so that one is checked then. Nobody can give a
 * scope that they do not have.
 */
export function ScopeChoice({
  texts = access.scopes,
  value,
  onChange,
}: {
  texts?: typeof access.scopes;
  value: readonly string[];
  onChange: (scopes: readonly string[]) => void;
}) {
  const { scopes: own } = useSession().account;
  const reads = value.map((scope) => [scope, `${areaOf(scope)}:read`] as const);
  const included = new Set<string>(reads.flatMap(([scope, read]) => (scope === read ? [] : [read])));
  const choice = ([scope, text]: readonly [string, string]) => {
    const isIncluded = included.has(scope);
    const isForbidden = scope.includes(':') && !own.includes(scope);
    return (
      <Check
        key={scope}
        label={<code>{scope}</code>}
        hint={isForbidden ? `${text}; you do not have it` : text}
        checked={isIncluded || value.includes(scope)}
        disabled={isIncluded || isForbidden}
        onChange={() => onChange(toggled(value, scope))}
      />
    );
  };
  return [...GROUPS.map(([title]) => title), OTHERS].map((title) => {
    const scopes = texts.filter(([scope]) => groupOf(scope) === title);
    return (
      scopes.length > 0 && (
        <fieldset key={title} className="stack-tight">
          <legend>{title}</legend>
          {scopes.map(choice)}
        </fieldset>
      )
    );
  });
}

/** A choice of a role, which shows what it allows. */
export function RoleField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const admin = useAdmin();
  const [data, placeholder, { error }] = useRead(keys.roles('choice'), () =>
    admin.roles.page({ limit: 100 }),
  );
  if (error) return placeholder;
  const chosen = data?.data.find(({ code }) => code === value);
  return (
    <SelectField
      label="Role"
      required
      any="Choose a role"
      hint={chosen?.scopes.join(', ')}
      options={data?.data.map(({ code, name }) => [code, name] as const) ?? []}
      {...bind(data ? value : '', onChange)}
    />
  );
}

/** The tenants and environments that somebody sees; everything if both are null. */
export interface Bounds {
  readonly tenants: readonly string[] | null;
  readonly environments: readonly string[] | null;
}

export const UNBOUNDED: Bounds = { tenants: null, environments: null };

function EnvironmentChoice({
  tenantId,
  value,
  onChange,
}: {
  tenantId: string;
  value: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const [data, placeholder] = useEnvironmentsOf(tenantId);
  if (!data) return placeholder;
  return (
    <div className="row">
      {data.data.map(({ id, name }) => (
        <Check
          key={id}
          label={name}
          checked={value.includes(id)}
          onChange={() => onChange(toggled(value, id))}
        />
      ))}
    </div>
  );
}

/** A choice of everything, or of tenants and environments. */
export function BoundsField({ value, onChange }: { value: Bounds; onChange: (bounds: Bounds) => void }) {
  const isBounded = value.tenants !== null || value.environments !== null;
  const { tenants, environments } = { tenants: value.tenants ?? [], environments: value.environments ?? [] };
  return (
    <>
      <SelectField
        label="For"
        options={[
          ['all', 'the whole installation'],
          ['some', 'some tenants and environments'],
        ]}
        hint={
          isBounded && `Chosen: ${countOf(value)}. A tenant includes all its environments, also later ones.`
        }
        value={isBounded ? 'some' : 'all'}
        onChange={({ target }) =>
          onChange(target.value === 'all' ? UNBOUNDED : { tenants: [], environments: [] })
        }
      />
      {isBounded && (
        <TenantList>
          {({ id, name }) => (
            <fieldset key={id} className="stack-tight list-item">
              <legend className="visually-hidden">{name}</legend>
              <Check
                label={<strong className="break">{name}</strong>}
                checked={tenants.includes(id)}
                onChange={() => onChange({ tenants: toggled(tenants, id), environments })}
              />
              {!tenants.includes(id) && (
                <EnvironmentChoice
                  tenantId={id}
                  value={environments}
                  onChange={(ids) => onChange({ tenants, environments: ids })}
                />
              )}
            </fieldset>
          )}
        </TenantList>
      )}
    </>
  );
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** "2 tenants, 1 environment" */
export function countOf({ tenants, environments }: Bounds): string {
  if (tenants === null && environments === null) return 'everything';
  const counts = [plural(tenants?.length ?? 0, 'tenant'), plural(environments?.length ?? 0, 'environment')];
  return counts.filter((each) => !each.startsWith('0')).join(', ') || 'nothing';
}

/** More are counted. */
const NAMED = 20;

function Named({
  id,
  queryKey,
  read,
  to,
}: {
  id: string;
  queryKey: Key;
  read: (id: string) => Promise<{ name: string }>;
  to: string;
}) {
  const [data] = useRead(queryKey, () => read(id));
  return <Link to={to}>{data?.name ?? id}</Link>;
}

/** The names of the tenants and environments, with links. */
export function BoundsList({ tenants, environments }: Bounds): ReactNode {
  const admin = useAdmin();
  if (tenants === null && environments === null) return 'the whole installation';
  const links = [
    ...(tenants ?? []).map((id) => (
      <Named
        key={id}
        id={id}
        queryKey={keys.tenants(id)}
        read={admin.tenants.get}
        to={path`/tenants/${id}`}
      />
    )),
    ...(environments ?? []).map((id) => {
      const queryKey = keys.environments('one', id);
      const to = path`/e/${id}/overview`;
      return <Named key={id} id={id} queryKey={queryKey} read={admin.environments.get} to={to} />;
    }),
  ];
  if (links.length === 0) return 'nothing';
  return (
    <span className="row">
      {links.slice(0, NAMED)}
      {links.length > NAMED && <span className="muted">and {links.length - NAMED} more</span>}
    </span>
  );
}
