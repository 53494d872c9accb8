import type { BodyOf, Operator } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { UserCog } from 'lucide-react';
import { keys, path, useAdmin } from '../../api/index.ts';
import { ListScreen, Status } from '../../ui/display.ts';
import { ChangeForm, email, type Json, text } from '../../ui/input.ts';
import { Time } from '../../ui/parts.tsx';
import { type Bounds, BoundsField, countOf, RoleField, UNBOUNDED } from './rights.tsx';

const EMAIL = email('email', 'Email', {
  required: true,
  hint: 'They sign in with it, and it is their name in the audit log',
});
const NAME = text('name', 'Name', { required: true });

/** Adds an operator, or changes one, whose email stays. */
export function OperatorDialog({ operator }: { operator: Operator | null }) {
  const admin = useAdmin();
  const navigate = useNavigate();
  const save = async (value: Json) => {
    const body = value as unknown as BodyOf<'createOperator'>;
    if (operator) return admin.operators.update(operator.id, body);
    const { id } = await admin.operators.create(body);
    return navigate({ to: path`/operators/${id}` });
  };
  const { name, role, tenants, environments } = operator ?? { name: undefined, role: '', ...UNBOUNDED };
  return (
    <ChangeForm
      title={operator ? `Change ${operator.name}` : 'Add an operator'}
      action={operator ? 'Save' : 'Add'}
      fields={operator ? [NAME] : [EMAIL, NAME]}
      initial={{ role, tenants, environments, ...(name !== undefined && { name }) }}
      change={save}
      shownIn={[keys.operators()]}
    >
      {(value, set) => (
        <>
          <RoleField value={String(value.role)} onChange={(chosen) => set({ role: chosen })} />
          <BoundsField value={value as unknown as Bounds} onChange={(bounds) => set({ ...bounds })} />
        </>
      )}
    </ChangeForm>
  );
}

/** The people who operate the installation. */
export function Screen() {
  const admin = useAdmin();
  const to = ({ id }: Operator) => path`/operators/${id}`;
  return (
    <ListScreen
      title="Operators"
      about="People who operate this installation, and what they may do."
      create={{
        label: 'Add an operator',
        operation: 'createOperator',
        dialog: <OperatorDialog operator={null} />,
      }}
      queryKey={keys.operators('list')}
      read={(query) => admin.operators.page(query)}
      to={to}
      columns={{
        Name: (operator) => <Link to={to(operator)}>{operator.name}</Link>,
        Email: ({ email }) => email,
        Role: ({ role }) => <code>{role}</code>,
        For: countOf,
        State: ({ enabled }) => <Status value={enabled ? 'active' : 'disabled'} />,
        From: ({ source }) => (source === 'local' ? 'here' : source),
        'Last seen': { end: ({ last_seen_at }) => <Time at={last_seen_at} format="short" none="never" /> },
      }}
      empty={{
        icon: UserCog,
        title: 'No operators yet',
        children: 'Until then, everybody shares the admin token. Add yourself with the role admin first.',
      }}
    />
  );
}
