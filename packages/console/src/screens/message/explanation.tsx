import {
  type DeliveryRun,
  explainMessage,
  type Message,
  type NextStep,
  type OperationId,
} from '@postrider/client';
import { Ban, type LucideIcon, Radio, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEnvironment } from '../../api/index.ts';
import { ButtonLink } from '../../ui/display.ts';
import { Button, TextWithTime } from '../../ui/parts.tsx';
import { Notice } from '../../ui/plain.tsx';
import { CancelDialog, ReplayDialog } from './actions.tsx';

/** What happened to the message in one sentence, and what to do next. */
export function ExplanationNotice({
  message,
  runs,
  canReplay,
}: {
  message: Message;
  runs: readonly DeliveryRun[];
  canReplay: boolean;
}) {
  const { scope, screen } = useEnvironment();
  const { tone, sentence, next, nextAt, run, steps } = explainMessage(message, runs);
  const link = (operation: OperationId, to: string, text: string, icon?: LucideIcon) =>
    scope.isOperator && (
      <ButtonLink small operation={operation} to={to} icon={icon}>
        {text}
      </ButtonLink>
    );
  const buttons: Record<NextStep, ReactNode> = {
    replay: canReplay && (
      <Button
        small
        icon={RotateCw}
        operation="replayEnvironmentMessage"
        dialog={<ReplayDialog message={message} runs={runs} />}
      >
        Send it again
      </Button>
    ),
    cancel: run && (
      <Button small icon={Ban} operation="cancelEnvironmentDeliveryRun" dialog={<CancelDialog run={run} />}>
        Cancel it
      </Button>
    ),
    open_channel:
      run && link('getChannel', screen`/channels/${run.channel.id}`, `Open ${run.channel.name}`, Radio),
    open_channels: link('listChannels', screen`/channels`, 'Open the channels'),
    open_templates: link('listTemplates', screen`/templates`, 'Open the templates'),
    open_suppressions: link('listSuppressions', screen`/suppressions`, 'Open the suppression list'),
  };
  return (
    <section className="explanation" aria-label="What happened">
      <Notice tone={tone} title={sentence} isContent>
        {next && (
          <p>
            {next}
            <TextWithTime text=" at " at={nextAt} />
            {nextAt && '.'}
          </p>
        )}
        <div className="row">
          {steps.map((step) => (
            <span key={step}>{buttons[step]}</span>
          ))}
        </div>
      </Notice>
    </section>
  );
}
