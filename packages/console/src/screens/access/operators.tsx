import type { Operator } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { UserCog } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change } from '../../ui/change.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { ListScreen } from '../../ui/list.tsx';
import { Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { type Bounds, BoundsField, countOf, RoleField, UNBOUNDED } from './rights.tsx';

/** Adds an operator, or changes one, whose email stays. */
export function OperatorDialog({ operator }: { operator: Operator | null }) {
  const admin = useAdmin();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [name, setName] = useState(operator?.name ?? '');
  const [role, setRole] = useState(operator?.role ?? '');
  const [bounds, setBounds] = useState<Bounds>(operator ?? UNBOUNDED);
  const save = async () => {
    const { tenants, environments } = bounds;
    const body = {
      name,
      role,
      tenants: tenants && [...tenants],
      environments: environments && [...environments],
    };
    const { id } = await (operator
      ? admin.operators.update(operator.id, body)
      : admin.operators.create({ email: email.trim(), ...body }));
    if (!operator) await navigate({ to: path`/operators/${id}` });
  };
  return (
    <Change
      danger={false}
      title={operator ? `Change ${operator.name}` : 'Add an operator'}
      action={operator ? 'Save' : 'Add'}
      change={save}
      shownIn={[keys.operators()]}
    >
      <div className="form-row">
        {!operator && (
          <TextField
            label="Email"
            type="email"
            required
            hint="By which they sign in, and their name in the audit log"
            {...bind(email, setEmail)}
          />
        )}
        <TextField label="Name" required {...bind(name, setName)} />
      </div>
      <RoleField value={role} onChange={setRole} />
      <BoundsField value={bounds} onChange={setBounds} />
    </Change>
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
        title: 'There is no operator yet',
        children: 'Until then, everybody shares the admin token. Add yourself with the role admin first.',
      }}
    />
  );
}
