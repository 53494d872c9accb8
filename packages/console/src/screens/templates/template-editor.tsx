import type { BodyOf, ChangedTemplate, Template, TemplatePreview } from '@postrider/client';
import { PostriderApiError } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { keys, useEnvironment, useInvalidate } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/display.ts';
import { EditorField, SelectField, Target, TextField } from '../../ui/input.ts';
import { Card } from '../../ui/parts.tsx';
import { useNewVersion } from '../../ui/versions.tsx';
import { KIND_NAMES } from '../channels/forms/index.ts';
import { type Draft, inputOf, issuesOf, issuesOfError, issuesOfPreview, type PartIssue } from './draft.ts';
import { EnvelopeFields } from './envelope.tsx';
import { Example, Language, useExample } from './example.tsx';
import { PartChoice, useChosenParts } from './part-choice.tsx';
import { IssueList, Preview } from './preview.tsx';

/** The draft is rendered after a pause of this length in typing. */
const PAUSE_MS = 400;

function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Renders the draft with an example, without storing it. Errors of the draft become issues of the preview. */
function useDraftPreview(
  draft: Draft,
  example: { recipient: unknown; payload: unknown } | null,
  { locale, parts }: { locale: string; parts: readonly string[] },
) {
  const { environmentId, admin } = useEnvironment();
  const settled = useSettled(draft, PAUSE_MS);
  return useQuery({
    queryKey: keys.drafts(environmentId, settled, example, locale, parts),
    gcTime: 0,
    // With another event, what the draft uses would seem to be missing.
    enabled: example !== null,
    placeholderData: (previous: TemplatePreview | undefined) => previous,
    queryFn: () =>
      admin.templates.previewDraft(environmentId, {
        ...inputOf(settled),
        ...example,
        ...(locale && { locale }),
        ...(parts.length > 0 && { parts }),
      } as BodyOf<'previewTemplateDraft'>),
  });
}

function Parts({
  draft,
  issues,
  onChange,
}: {
  draft: Draft;
  issues: readonly PartIssue[];
  onChange: (change: Partial<Draft>) => void;
}) {
  if (draft.channel_kind !== 'email')
    return (
      <EditorField
        title="Body (JSON; each string is Liquid)"
        label="Body"
        language="json"
        value={draft.body}
        issues={issuesOf(issues, '/body')}
        onChange={(body) => onChange({ body })}
        minHeight={260}
      />
    );
  const subject = issuesOf(issues, '/subject')[0];
  return (
    <>
      <TextField
        label="Subject"
        value={draft.subject}
        error={subject && `Column ${subject.column ?? 1}: ${subject.message}`}
        onChange={(event) => onChange({ subject: event.target.value })}
      />
      <EditorField
        label="HTML or MJML"
        language="html"
        value={draft.html}
        issues={issuesOf(issues, '/html')}
        onChange={(html) => onChange({ html })}
        minHeight={260}
      />
      <EditorField
        title="Text (derived from the HTML when empty)"
        label="Text"
        language="text"
        value={draft.text}
        issues={issuesOf(issues, '/text')}
        onChange={(text) => onChange({ text })}
        minHeight={64}
      />
      <EnvelopeFields
        envelope={draft.envelope}
        issues={issues}
        onChange={(envelope) => onChange({ envelope })}
      />
    </>
  );
}

/** Edits a version: issues are marked in place, and the preview uses a real event. */
export function TemplateEditor({ initial, base }: { initial: Draft; base: Template | null }) {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const [draft, setDraft] = useState(initial);
  const example = useExample(draft.event_key);
  const [locale, setLocale] = useState('');
  const { chosen } = useChosenParts();
  const preview = useDraftPreview(draft, example.value, { locale, parts: chosen });

  const save = async (activate: boolean) => {
    const body = { ...inputOf(draft), ...(activate && { activate: true }) };
    const saved: ChangedTemplate = await admin.templates.create(environmentId, body);
    await invalidate(keys.templates(environmentId));
    await navigate({ to: screen`/templates/${saved.id}` });
    const warnings = saved.warnings.length;
    return { ...saved, ...(warnings > 0 && { note: ` Warnings: ${warnings}.` }) };
  };
  const isUnchanged = base !== null && JSON.stringify(draft) === JSON.stringify(initial);
  const { error, reset, foot } = useNewVersion('createTemplate', save, isUnchanged);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    reset();
  };
  const issues = useMemo(() => {
    const refused = issuesOfError(error ?? preview.error);
    return refused.length > 0 ? refused : preview.data ? issuesOfPreview(preview.data) : [];
  }, [error, preview.error, preview.data]);
  const isInvalid = (failure: unknown) =>
    failure instanceof SyntaxError ||
    (failure instanceof PostriderApiError && failure.code === 'validation_failed');

  return (
    <div className="grid-2">
      <Card title="Source" foot={foot}>
        <div className="stack">
          <Target />
          {base === null && (
            <div className="form-row">
              <TextField
                label="Event key"
                value={draft.event_key}
                error={issuesOf(issues, '/event_key')[0]?.message}
                onChange={(event) => change({ event_key: event.target.value })}
              />
              <SelectField
                label="Kind"
                options={Object.entries(KIND_NAMES)}
                value={draft.channel_kind}
                onChange={(event) => change({ channel_kind: event.target.value as Draft['channel_kind'] })}
              />
            </div>
          )}
          <Parts draft={draft} issues={issues} onChange={change} />
          <IssueList issues={issues} />
          {!isInvalid(error) && <ErrorNotice error={error} />}
        </div>
      </Card>
      <Card
        title="Preview"
        actions={
          <>
            <Language value={locale} onChange={setLocale} />
            <Example example={example} />
          </>
        }
      >
        <div className="stack">
          {!preview.isPending && <PartChoice used={preview.data?.parts} />}
          <Preview
            preview={preview.data}
            error={preview.error && !isInvalid(preview.error) ? preview.error : null}
            isPending={preview.isPending}
          />
        </div>
      </Card>
    </div>
  );
}
