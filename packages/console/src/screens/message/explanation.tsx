import { type DeliveryRun, explainMessage, type Message, type NextStep } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { Ban, Radio, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEnvironment } from '../../app/environment.tsx';
import { Button, May, Time } from '../../ui/parts.tsx';
import { Notice } from '../../ui/plain.tsx';

/** What happened to the message in one sentence, and what to do next. */
export function ExplanationNotice({
  message,
  runs,
  onReplay,
  onCancel,
}: {
  message: Message;
  runs: readonly DeliveryRun[];
  onReplay: (() => void) | undefined;
  onCancel: (run: DeliveryRun) => void;
}) {
  const { scope, screen } = useEnvironment();
  const { tone, sentence, next, nextAt, run, steps } = explainMessage(message, runs);
  const link = (to: string, text: string) => (
    <Link to={to} className="button button-small">
      {text}
    </Link>
  );
  const buttons: Record<NextStep, ReactNode> = {
    replay: onReplay && (
      <Button small icon={RotateCw} operation="replayEnvironmentMessage" onClick={onReplay}>
        Send it again
      </Button>
    ),
    cancel: run && (
      <Button small icon={Ban} operation="cancelEnvironmentDeliveryRun" onClick={() => onCancel(run)}>
        Cancel it
      </Button>
    ),
    open_channel: run && scope.isOperator && (
      <May operation="getChannel">
        <Link to={screen`/channels/${run.channel.id}`} className="button button-small">
          <Radio aria-hidden="true" />
          {`Open ${run.channel.name}`}
        </Link>
      </May>
    ),
    open_channels: scope.isOperator && (
      <May operation="listChannels">{link(screen`/channels`, 'Open the channels')}</May>
    ),
    open_templates: scope.isOperator && (
      <May operation="listTemplates">{link(screen`/templates`, 'Open the templates')}</May>
    ),
    open_suppressions: scope.isOperator && (
      <May operation="listSuppressions">{link(screen`/suppressions`, 'Open the suppression list')}</May>
    ),
  };
  return (
    <section className="explanation" aria-label="What happened">
      <Notice tone={tone} title={sentence} isContent>
        {next && (
          <p>
            {next}
            {nextAt && (
              <>
                {' at '}
                <Time at={nextAt} />.
              </>
            )}
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
