import type { BodyOf, Role } from '@postrider/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change } from '../../ui/change.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { Button, PageHead } from '../../ui/parts.tsx';
import { Tag } from '../../ui/status.tsx';
import { ScopeChoice } from './rights.tsx';

type Scopes = BodyOf<'createRole'>['scopes'];

/** Creates a role, or changes one. */
function RoleDialog({ role, onClose }: { role: Role | null; onClose: () => void }) {
  const admin = useAdmin();
  const [code, setCode] = useState('');
  const [name, setName] = useState(role?.name ?? '');
  const [scopes, setScopes] = useState<readonly string[]>(role?.scopes ?? []);
  const save = async () => {
    const body = { name, scopes: [...scopes] as Scopes };
    await (role ? admin.roles.update(role.code, body) : admin.roles.create({ code: code.trim(), ...body }));
  };
  return (
    <Change
      danger={false}
      onClose={onClose}
      title={role ? `Change ${role.name}` : 'Create a role'}
      action="Save"
      change={save}
      shownIn={[keys.roles()]}
      done="The role is saved. It applies within a second."
    >
      <div className="form-row">
        {!role && <TextField label="Code" required placeholder="on-call" {...bind(code, setCode)} />}
        <TextField label="Name" required {...bind(name, setName)} />
      </div>
      <ScopeChoice value={scopes} onChange={setScopes} />
    </Change>
  );
}

/** Named sets of scopes. */
export function Screen() {
  const admin = useAdmin();
  const [edited, setEdited] = useState<Role | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Role | null>(null);
  const list = usePaged(keys.roles('list'), (query) => admin.roles.page(query));
  const columns: Column<Role>[] = [
    { name: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
    { name: 'Code', cell: ({ code }) => <code>{code}</code> },
    { name: 'May', cell: ({ scopes }) => <span className="break wrap">{scopes.join(', ')}</span> },
    {
      name: 'Actions',
      isEnd: true,
      cell: (role) =>
        role.built_in ? (
          <Tag>built in</Tag>
        ) : (
          <>
            <Button small variant="quiet" operation="updateRole" onClick={() => setEdited(role)}>
              Change<span className="visually-hidden"> {role.name}</span>
            </Button>
            <Button small variant="quiet" operation="deleteRole" onClick={() => setDeleted(role)}>
              Delete<span className="visually-hidden"> {role.name}</span>
            </Button>
          </>
        ),
    },
  ];
  return (
    <>
      <PageHead
        title="Roles"
        about="Named sets of scopes, for operators and operator tokens. A change applies to all of them."
      >
        <Button variant="primary" icon={Plus} operation="createRole" onClick={() => setEdited('new')}>
          Create a role
        </Button>
      </PageHead>
      <PagedTable label="Roles" list={list} columns={columns} keyOf={({ code }) => code} empty={null} />
      {edited && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleted && (
        <Change
          onClose={() => setDeleted(null)}
          title={`Delete ${deleted.name}`}
          action="Delete the role"
          change={() => admin.roles.delete(deleted.code)}
          shownIn={[keys.roles()]}
          done="The role is deleted."
        >
          <p>A role that an operator or a valid token has cannot be deleted.</p>
        </Change>
      )}
    </>
  );
}
