import type { BodyOf, Plan } from '@postrider/client';
import { CreditCard } from 'lucide-react';
import { keys, useAdmin } from '../api/index.ts';
import { ListScreen } from '../ui/display.ts';
import { formatNumber } from '../ui/format.ts';
import { ChangeForm, type Field, number, text } from '../ui/input.ts';
import { RowButton } from '../ui/parts.tsx';
import { kindsField } from './channels/forms/index.ts';

/** The fields with their labels in the form and above their columns. */
const FIGURES = [
  ['events_per_month', 'Events per month', 'Events a month'],
  ['requests_per_second', 'Requests per second', 'Requests a second'],
  ['burst', 'Requests at once', 'At once'],
  ['max_payload_bytes', 'Largest event (bytes)', 'Bytes'],
  ['max_schedule_days', 'Schedule ahead (days)', 'Days ahead'],
  ['retention_days', 'Retention (days)', 'Days kept'],
] as const;

const figure = (value: number | null) => (value === null ? 'unlimited' : formatNumber(value));

const CODE = text('code', 'Code', {
  required: true,
  placeholder: 'starter',
  hint: 'Tenants refer to it; it cannot be changed.',
});

const fieldsOf = (isNew: boolean): readonly Field[] => [
  ...(isNew ? [CODE] : []),
  text('name', 'Name', { required: true, placeholder: 'Starter' }),
  ...FIGURES.map(([at, label]) => number(at, label, { placeholder: 'Unlimited' })),
  kindsField('channel_kinds'),
];

/** Creates a plan, or changes one, whose code stays. An empty figure is unlimited. */
function PlanDialog({ plan }: { plan: Plan | null }) {
  const admin = useAdmin();
  const emptied = Object.fromEntries(FIGURES.map(([name]) => [name, null]));
  const { code: _code, ...initial } = plan ?? { code: '' };
  const fields = fieldsOf(plan === null);
  const names = fields.map(({ at }) => at);
  return (
    <ChangeForm
      wide
      draft={`plan.${plan?.code ?? ''}`}
      title={plan ? `Change ${plan.name}` : 'Create a plan'}
      action="Save"
      fields={fields}
      initial={Object.fromEntries(Object.entries(initial).filter(([name]) => names.includes(name)))}
      change={(value) =>
        plan
          ? admin.plans.update(plan.code, { ...emptied, ...value })
          : admin.plans.create(value as unknown as BodyOf<'createPlan'>)
      }
      shownIn={[keys.plans()]}
      done="The plan is saved. It applies to all its tenants within 5 seconds."
    />
  );
}

/** What tenants may use. */
export function Screen() {
  const admin = useAdmin();
  return (
    <ListScreen
      title="Plans"
      about="What tenants may use. A change applies to all tenants of the plan."
      create={{ label: 'Create a plan', operation: 'createPlan', dialog: <PlanDialog plan={null} /> }}
      queryKey={keys.plans('list')}
      read={(query) => admin.plans.page(query)}
      keyOf={({ code }) => code}
      columns={{
        Plan: ({ name, code }) => (
          <span className="stack-none">
            <strong className="break">{name}</strong>
            <code className="small muted break">{code}</code>
          </span>
        ),
        ...Object.fromEntries(
          FIGURES.map(([field, , short]) => [
            short,
            { end: (plan: Plan) => <span className="number">{figure(plan[field])}</span> },
          ]),
        ),
        Kinds: ({ channel_kinds }) => channel_kinds.join(', '),
      }}
      actions={(plan) => (
        <RowButton of={plan.name} operation="updatePlan" dialog={<PlanDialog plan={plan} />}>
          Change
        </RowButton>
      )}
      empty={{
        icon: CreditCard,
        title: 'No plans yet',
        command: 'npm run postrider -- plans create --code starter --name Starter',
        children: 'Each tenant needs a plan.',
      }}
    />
  );
}
