import type { BodyOf, Role } from '@postrider/client';
import { keys, useAdmin } from '../../api/index.ts';
import { ListScreen, Tag } from '../../ui/display.ts';
import { ChangeButton, ChangeForm, type Json, text } from '../../ui/input.ts';
import { RowButton } from '../../ui/parts.tsx';
import { ScopeChoice } from './rights.tsx';

const CODE = text('code', 'Code', { required: true, placeholder: 'on-call' });
const NAME = text('name', 'Name', { required: true });

/** Creates a role, or changes one. */
function RoleDialog({ edited: role }: { edited: Role | null }) {
  const admin = useAdmin();
  const save = (value: Json) => {
    const body = value as unknown as BodyOf<'createRole'>;
    if (role) return admin.roles.update(role.code, body);
    return admin.roles.create({ ...body, code: body.code.trim() });
  };
  return (
    <ChangeForm
      title={role ? `Change ${role.name}` : 'Create a role'}
      action="Save"
      fields={role ? [NAME] : [CODE, NAME]}
      initial={{ scopes: role?.scopes ?? [], ...(role && { name: role.name }) }}
      change={save}
      shownIn={[keys.roles()]}
      done="The role is saved. It applies within a second."
    >
      {({ scopes }, set) => (
        <ScopeChoice value={scopes as readonly string[]} onChange={(chosen) => set({ scopes: chosen })} />
      )}
    </ChangeForm>
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
