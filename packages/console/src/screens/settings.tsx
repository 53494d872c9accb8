import type { Environment } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdmin, useInvalidate } from '../api/session.ts';
import { Target, useEnvironment } from '../app/environment.tsx';
import { ErrorNotice, useToast } from '../ui/feedback.tsx';
import { Check, SelectField, TextField } from '../ui/form.tsx';
import { Button, Card, CopyId, Facts, Loading, PageHead, Time } from '../ui/parts.tsx';

type Settings = Pick<
  Environment,
  | 'unmatched_events'
  | 'missing_email_template'
  | 'idempotency_keys'
  | 'https_only'
  | 'default_locale'
  | 'pause_streams_at_complaint_rate'
  | SoftBounceSetting
>;

type SoftBounceSetting = 'soft_bounce_limit' | 'soft_bounce_days' | 'soft_bounce_pause_days';

/** Names and ranges of the settings on soft bounces. */
const SOFT_BOUNCES: readonly [SoftBounceSetting, label: string, min: number, max: number][] = [
  ['soft_bounce_limit', 'Soft bounces in a row that suppress an address for a while (0: never)', 0, 100],
  ['soft_bounce_days', 'Within days', 1, 90],
  ['soft_bounce_pause_days', 'Suppressed for days', 1, 365],
];

const settingsOf = ({
  unmatched_events,
  missing_email_template,
  idempotency_keys,
  https_only,
  default_locale,
  soft_bounce_limit,
  soft_bounce_days,
  soft_bounce_pause_days,
  pause_streams_at_complaint_rate,
}: Environment): Settings => ({
  unmatched_events,
  missing_email_template,
  idempotency_keys,
  https_only,
  default_locale,
  soft_bounce_limit,
  soft_bounce_days,
  soft_bounce_pause_days,
  pause_streams_at_complaint_rate,
});

function Form({ environment }: { environment: Environment }) {
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const stored = settingsOf(environment);
  const [value, setValue] = useState(stored);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const names = Object.keys(stored) as (keyof Settings)[];
  const changed = names.filter((name) => value[name] !== stored[name]);
  const change = (part: Partial<Settings>) => setValue({ ...value, ...part });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const patch = Object.fromEntries(changed.map((name) => [name, value[name]]));
      await admin.environments.update(environment.id, patch);
      await invalidate('environment-settings', environment.id);
      toast('The settings are saved. They apply within 5 seconds.');
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Card
        title="What happens to events"
        foot={
          <>
            <Button disabled={changed.length === 0} onClick={() => setValue(stored)}>
              Undo
            </Button>
            <Button type="submit" variant="primary" disabled={changed.length === 0} busy={busy}>
              Save
            </Button>
          </>
        }
      >
        <div className="stack">
          <Target />
          <SelectField
            label="An event that no channel takes"
            hint="A stored event counts once, has the status unrouted, and can be replayed when a channel takes it."
            options={[
              ['refuse', 'is refused with 422 no_matching_channel'],
              ['store', 'is accepted and stored'],
            ]}
            value={value.unmatched_events}
            onChange={({ target }) =>
              change({ unmatched_events: target.value as Settings['unmatched_events'] })
            }
          />
          <SelectField
            label="An event without an active email template"
            options={[
              ['refuse', 'is refused with 422 template_not_found'],
              ['skip', 'is sent through the other channels only'],
            ]}
            value={value.missing_email_template}
            onChange={({ target }) =>
              change({ missing_email_template: target.value as Settings['missing_email_template'] })
            }
          />
          <SelectField
            label="Idempotency keys"
            options={[
              ['uuid', 'are UUIDs'],
              ['any', 'are any 1 to 255 visible ASCII characters'],
            ]}
            value={value.idempotency_keys}
            onChange={({ target }) =>
              change({ idempotency_keys: target.value as Settings['idempotency_keys'] })
            }
          />
          <TextField
            label="Default language"
            hint="For recipients whose language is unknown or not translated, such as en or fr-CA. Templates are republished in it."
            required
            value={value.default_locale}
            onChange={({ target }) => change({ default_locale: target.value.trim() })}
          />
          {SOFT_BOUNCES.map(([name, label, min, max]) => (
            <TextField
              key={name}
              label={label}
              type="number"
              required
              min={min}
              max={max}
              value={String(value[name])}
              onChange={({ target }) => change({ [name]: target.valueAsNumber })}
            />
          ))}
          <TextField
            label="Complaint rate that pauses a stream"
            hint="A share of the emails of a day, such as 0.003. Its email then waits until someone resumes it. Empty: never."
            type="number"
            min={0.0001}
            max={1}
            step="any"
            value={String(value.pause_streams_at_complaint_rate ?? '')}
            onChange={({ target }) =>
              change({ pause_streams_at_complaint_rate: target.value === '' ? null : target.valueAsNumber })
            }
          />
          <Check
            label="Channels may have https URLs only"
            hint="Cannot be set while a channel has another URL."
            checked={value.https_only}
            onChange={({ target }) => change({ https_only: target.checked })}
          />
          <ErrorNotice error={error} />
        </div>
      </Card>
    </form>
  );
}

/** The settings of an environment. They apply to events accepted from then on. */
export function Screen() {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['environment-settings', environmentId],
    queryFn: () => admin.environments.get(environmentId),
  });
  return (
    <>
      <PageHead title="Settings" about="What this environment does with events." />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <Form key={JSON.stringify(settingsOf(data))} environment={data} />
          <Card title="Environment">
            <Facts
              items={[
                ['Name', data.name],
                ['Created', <Time key="c" at={data.created_at} />],
                ['Id', <CopyId key="i" value={data.id} />],
              ]}
            />
          </Card>
        </>
      )}
    </>
  );
}
