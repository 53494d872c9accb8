import type { Operator } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, UserCog } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change } from '../../ui/change.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { bind, TextField } from '../../ui/form.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { Button, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { type Bounds, BoundsField, countOf, RoleField, UNBOUNDED } from './rights.tsx';

/** Adds an operator, or changes one, whose email stays. */
export function OperatorDialog({ operator, onClose }: { operator: Operator | null; onClose: () => void }) {
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
      onClose={onClose}
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
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const list = usePaged(keys.operators('list'), (query) => admin.operators.page(query));
  const to = ({ id }: Operator) => path`/operators/${id}`;
  const columns: Column<Operator>[] = [
    { name: 'Name', cell: (operator) => <Link to={to(operator)}>{operator.name}</Link> },
    { name: 'Email', cell: ({ email }) => email },
    { name: 'Role', cell: ({ role }) => <code>{role}</code> },
    { name: 'For', cell: countOf },
    { name: 'State', cell: ({ enabled }) => <Status value={enabled ? 'active' : 'disabled'} /> },
    { name: 'From', cell: ({ source }) => (source === 'local' ? 'here' : source) },
    {
      name: 'Last seen',
      isEnd: true,
      cell: ({ last_seen_at }) => (last_seen_at ? <Time at={last_seen_at} format="short" /> : 'never'),
    },
  ];
  return (
    <>
      <PageHead title="Operators" about="People who operate this installation, and what they may do.">
        <Button variant="primary" icon={Plus} operation="createOperator" onClick={() => setAdding(true)}>
          Add an operator
        </Button>
      </PageHead>
      <PagedTable
        label="Operators"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={(operator) => void navigate({ to: to(operator) })}
        empty={
          <Empty icon={UserCog} title="There is no operator yet">
            Until then, everybody shares the admin token. Add yourself with the role admin first.
          </Empty>
        }
      />
      {isAdding && <OperatorDialog operator={null} onClose={() => setAdding(false)} />}
    </>
  );
}
