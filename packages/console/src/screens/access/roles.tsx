import type { BodyOf, Role } from '@postrider/client';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change, ChangeButton } from '../../ui/change.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { ListScreen } from '../../ui/list.tsx';
import { RowButton } from '../../ui/parts.tsx';
import { Tag } from '../../ui/status.tsx';
import { ScopeChoice } from './rights.tsx';

type Scopes = BodyOf<'createRole'>['scopes'];

/** Creates a role, or changes one. */
function RoleDialog({ edited: role }: { edited: Role | null }) {
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

function Actions({ of: role }: { of: Role }) {
  const admin = useAdmin();
  if (role.built_in) return <Tag>built in</Tag>;
  return (
    <>
      <RowButton of={role.name} operation="updateRole" dialog={<RoleDialog edited={role} />}>
        Change
      </RowButton>
      <ChangeButton
        inRow
        label="Delete"
        of={role.name}
        operation="deleteRole"
        action="Delete the role"
        change={() => admin.roles.delete(role.code)}
        shownIn={[keys.roles()]}
        done="The role is deleted."
      >
        <p>A role that an operator or a valid token has cannot be deleted.</p>
      </ChangeButton>
    </>
  );
}

/** Named sets of scopes. */
export function Screen() {
  const admin = useAdmin();
  return (
    <ListScreen
      title="Roles"
      about="Named sets of scopes, for operators and operator tokens. A change applies to all of them."
      create={{ label: 'Create a role', operation: 'createRole', dialog: <RoleDialog edited={null} /> }}
      queryKey={keys.roles('list')}
      read={(query) => admin.roles.page(query)}
      keyOf={({ code }) => code}
      columns={{
        Name: ({ name }) => <strong className="break">{name}</strong>,
        Code: ({ code }) => <code>{code}</code>,
        May: ({ scopes }) => <span className="break wrap">{scopes.join(', ')}</span>,
      }}
      actions={(role) => <Actions of={role} />}
    />
  );
}
