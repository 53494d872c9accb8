import type { ConfiguredChannel } from '@postrider/client';
import { path } from '@postrider/console/api/path.ts';
import { bind, Disclosure, SelectField, TextArea, TextField, useTask } from '@postrider/console/ui/form.tsx';
import { Button, Notice } from '@postrider/console/ui/plain.tsx';
import { type ComponentProps, useState } from 'react';
import type { SentRequest } from '../api/contract.ts';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { ErrorNotice } from '../ui/parts.tsx';
import {
  type Advanced,
  configOf,
  isValid,
  objectOf,
  SIGNATURE_FIELDS,
  type SignatureField,
  type SignatureType,
  WITHOUT_TEMPLATE,
} from './advanced.ts';
import { RequestBlocks } from './request.tsx';

/** What a field of a signature is when it is left out, or an example of it. */
const PLACEHOLDERS: Partial<Record<SignatureField, string>> = {
  header_prefix: 'webhook-',
  signed_text: '{body}',
  value: '{signature}',
};
/** Names of forms and signatures that are the same in every language. */
const BODY_NAMES = {
  'cloudevents-structured': 'CloudEvents (structured)',
  'cloudevents-binary': 'CloudEvents (binary)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  pagerduty: 'PagerDuty',
};
const SIGNATURE_NAMES = {
  standard: 'Standard Webhooks',
  github: 'GitHub (X-Hub-Signature-256)',
  stripe: 'Stripe (Stripe-Signature)',
};
const CHOICES: Partial<Record<SignatureField, readonly string[]>> = {
  algorithm: ['sha256', 'sha512', 'sha1'],
  encoding: ['hex', 'base64'],
};

interface Props {
  /** Null for a new one, which has no events yet to try something on. */
  readonly channel: ConfiguredChannel | null;
  readonly value: Advanced;
  readonly onChange: (value: Advanced) => void;
}

/** What most endpoints need not change: filter, form of the body, and signature. */
export function AdvancedFields({ hasError, ...props }: Props & { readonly hasError: boolean }) {
  const { t } = useLanguage();
  return (
    <Disclosure title={t.advanced.title} about={t.advanced.about} hasError={hasError}>
      <FilterField {...props} />
      {(props.channel === null || props.channel.kind === 'webhook') && (
        <>
          <BodyFields {...props} />
          <SignatureFields {...props} />
          {props.channel && <Preview {...props} channel={props.channel} />}
        </>
      )}
    </Disclosure>
  );
}

interface JsonFieldProps extends Pick<ComponentProps<typeof TextArea>, 'label' | 'hint'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for a JSON object. */
function JsonField({ value, onChange, ...texts }: JsonFieldProps) {
  const { t } = useLanguage();
  return (
    <TextArea
      {...texts}
      className="input mono"
      rows={4}
      {...bind(value, onChange)}
      error={objectOf(value) === undefined ? t.advanced.notJson : undefined}
    />
  );
}

/** The result of something that is tried, and a function that tries it again. It is forgotten when `of` changes. */
function useTrial<Result>(of: string, trial: () => Promise<Result>) {
  const { busy, error, data, run } = useTask<Result>();
  const [tried, setTried] = useState('');
  const start = () => {
    setTried(of);
    void run(trial);
  };
  return { busy, start, ...(tried === of && { result: data, error }) };
}

interface FilterTrial {
  readonly tested: number;
  readonly matched: number;
}

function FilterField({ channel, value, onChange }: Props) {
  const { t, number } = useLanguage();
  const { call, may } = usePortal();
  const filter = objectOf(value.filter);
  const trial = useTrial(value.filter, () =>
    call<FilterTrial>('POST', path`/api/v1/channels/${channel?.id ?? ''}/filter/test`, { body: { filter } }),
  );
  const { result } = trial;
  return (
    <div className="stack-tight">
      <JsonField
        label={t.advanced.filter}
        hint={
          <>
            {t.advanced.filterHint} <code className="break">{'{"payload": {"amount": {"$gte": 100}}}'}</code>
          </>
        }
        value={value.filter}
        onChange={(text) => onChange({ ...value, filter: text })}
      />
      {channel && may('messages:content') && (
        <div>
          <Button small busy={trial.busy} disabled={filter === undefined} onClick={trial.start}>
            {t.advanced.tryFilter}
          </Button>
        </div>
      )}
      <div role="status">
        {result && <Notice title={t.advanced.tried(number(result.tested), number(result.matched))} />}
      </div>
      <ErrorNotice error={trial.error} />
    </div>
  );
}

function BodyFields({ value, onChange }: Props) {
  const { t } = useLanguage();
  return (
    <>
      <SelectField
        label={t.advanced.body}
        {...bind(value.body, (body) => onChange({ ...value, body }))}
        options={Object.entries({ ...t.advanced.bodies, ...BODY_NAMES })}
      />
      {!WITHOUT_TEMPLATE.includes(value.body) && (
        <JsonField
          label={t.advanced.template}
          hint={
            <>
              {t.advanced.templateHint} <code>{'{{ payload.order_id }}'}</code>
            </>
          }
          value={value.template}
          onChange={(text) => onChange({ ...value, template: text })}
        />
      )}
    </>
  );
}

function SignatureFields({ value, onChange }: Props) {
  const { t } = useLanguage();
  const { signature } = value;
  const type = signature.type as SignatureType;
  const set = (name: string) => (given: { target: { value: string } }) =>
    onChange({ ...value, signature: { ...signature, [name]: given.target.value } });
  return (
    <>
      <SelectField
        label={t.advanced.signature}
        value={type}
        onChange={set('type')}
        options={Object.entries({ ...SIGNATURE_NAMES, ...t.advanced.signatures })}
      />
      <div className="form-row">
        {SIGNATURE_FIELDS[type].map((name: SignatureField) => {
          const field = {
            label: t.advanced.fields[name],
            value: signature[name] ?? '',
            onChange: set(name),
            ...(name === 'signed_text' && { hint: '{body} {id} {timestamp}' }),
          };
          const choices = CHOICES[name];
          return choices ? (
            <SelectField key={name} {...field} any={choices[0] ?? ''} options={choices.slice(1)} />
          ) : (
            <TextField
              key={name}
              {...field}
              required={type === 'custom' && name === 'header'}
              placeholder={PLACEHOLDERS[name]}
            />
          );
        })}
        {type !== 'none' && (
          <TextField
            type="password"
            autoComplete="new-password"
            label={t.advanced.secret}
            hint={t.advanced.secretHint}
            value={signature.secret ?? ''}
            onChange={set('secret')}
          />
        )}
      </div>
    </>
  );
}

interface Previewed {
  readonly event_key: string;
  readonly request: SentRequest;
}

/** Shows the request with what was entered, before it is saved. */
function Preview({ channel, value }: Props & { readonly channel: ConfiguredChannel }) {
  const { t } = useLanguage();
  const { call, may } = usePortal();
  const config = configOf(value, channel);
  const trial = useTrial(JSON.stringify(config), () =>
    call<Previewed>('POST', path`/api/v1/channels/${channel.id}/preview`, { body: { config } }),
  );
  const { result } = trial;
  if (!may('messages:content')) return null;
  return (
    <div className="stack-tight">
      <div>
        <Button small busy={trial.busy} disabled={!isValid(value)} onClick={trial.start}>
          {t.advanced.preview}
        </Button>
      </div>
      <div role="status">
        {result && (
          <Notice title={t.advanced.previewOf(result.event_key)}>
            <p>{t.advanced.previewAbout}</p>
          </Notice>
        )}
      </div>
      {result && <RequestBlocks request={result.request} />}
      <ErrorNotice error={trial.error} />
    </div>
  );
}
