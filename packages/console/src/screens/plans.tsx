import type { Plan } from '@postrider/client';
import { CreditCard, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Empty, ErrorNotice, useToast } from '../ui/feedback.tsx';
import { TextField } from '../ui/form.tsx';
import { formatNumber } from '../ui/format.ts';
import { type Column, PagedTable, usePaged } from '../ui/list.tsx';
import { Dialog } from '../ui/overlays.tsx';
import { Button, PageHead } from '../ui/parts.tsx';

const FIGURES = [
  ['events_per_month', 'Events per month'],
  ['requests_per_second', 'Requests per second'],
  ['burst', 'Requests at once'],
  ['max_payload_bytes', 'Largest event (bytes)'],
  ['max_schedule_days', 'Schedule ahead (days)'],
  ['retention_days', 'Retention (days)'],
] as const;

type FigureName = (typeof FIGURES)[number][0];

const figure = (value: number | null) => (value === null ? 'unlimited' : formatNumber(value));

/** Creates a plan, or changes one. An empty figure is unlimited. */
function PlanDialog({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [code, setCode] = useState(plan?.code ?? '');
  const [name, setName] = useState(plan?.name ?? '');
  const [figures, setFigures] = useState<Record<FigureName, string>>(
    () =>
      Object.fromEntries(FIGURES.map(([field]) => [field, String(plan?.[field] ?? '')])) as Record<
        FigureName,
        string
      >,
  );
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      const values = Object.fromEntries(
        FIGURES.map(([field]) => [field, figures[field] === '' ? null : Number(figures[field])]),
      );
      if (plan) await admin.plans.update(plan.code, { name, ...values });
      else await admin.plans.create({ code: code.trim(), name, ...values });
      await invalidate('plans');
      toast('The plan is saved. It applies to all its tenants within 5 seconds.');
      onClose();
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={plan ? `Change ${plan.name}` : 'Create a plan'}
      foot={
        <Button type="submit" form="plan" variant="primary">
          Save
        </Button>
      }
    >
      <form id="plan" className="stack" onSubmit={(event) => void submit(event)}>
        <div className="form-row">
          {!plan && (
            <TextField label="Code" required value={code} onChange={(event) => setCode(event.target.value)} />
          )}
          <TextField label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
        </div>
        <div className="form-row">
          {FIGURES.map(([field, label]) => (
            <TextField
              key={field}
              label={label}
              type="number"
              min={0}
              placeholder="unlimited"
              value={figures[field]}
              onChange={(event) => setFigures({ ...figures, [field]: event.target.value })}
            />
          ))}
        </div>
        <ErrorNotice error={error} />
      </form>
    </Dialog>
  );
}

/** What tenants may use. */
export function Screen() {
  const admin = useAdmin();
  const [edited, setEdited] = useState<Plan | 'new' | null>(null);
  const list = usePaged(['plans', 'list'], (query) => admin.plans.page(query));
  const columns: Column<Plan>[] = [
    { name: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
    { name: 'Code', cell: ({ code }) => <code>{code}</code> },
    ...FIGURES.map(([field, label]) => ({
      name: label,
      isEnd: true,
      cell: (plan: Plan) => <span className="number">{figure(plan[field])}</span>,
    })),
    { name: 'Kinds', cell: ({ channel_kinds }) => channel_kinds.join(', ') },
    {
      name: 'Actions',
      isEnd: true,
      cell: (plan) => (
        <Button small variant="quiet" onClick={() => setEdited(plan)}>
          Change<span className="visually-hidden"> {plan.name}</span>
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Plans" about="What tenants may use. A change applies to all tenants of the plan.">
        <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
          Create a plan
        </Button>
      </PageHead>
      <PagedTable
        label="Plans"
        list={list}
        columns={columns}
        keyOf={({ code }) => code}
        empty={
          <Empty
            icon={CreditCard}
            title="There is no plan yet"
            command="npm run postrider -- plans create --code starter --name Starter"
          >
            Each tenant needs a plan.
          </Empty>
        }
      />
      {edited && <PlanDialog plan={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
