import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useClose } from './dialogs.tsx';
import { ErrorNotice } from './feedback.tsx';
import { Button } from './parts.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
  /** A button at the foot that closes it. */
  readonly close?: string;
  /** By default it is the dialog of the screen. */
  readonly onClose?: (() => void) | undefined;
  readonly wide?: boolean;
  /** Makes the dialog a form that Enter in a field submits. */
  readonly onSubmit?: () => void;
}

/** A modal dialog. It keeps the focus, closes with Escape, and then returns the focus. */
export function Dialog({ title, children, close, wide, onSubmit, ...props }: DialogProps) {
  const closeIt = useClose();
  const { onClose = closeIt, foot = close && <Button onClick={onClose}>{close}</Button> } = props;
  const content = (
    <>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </>
  );
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={wide ? 'dialog dialog-wide' : 'dialog'}>
          <div className="dialog-head">
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <Button variant="quiet" small iconOnly icon={X} onClick={onClose}>
              Close
            </Button>
          </div>
          {onSubmit ? (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                // The dialog can be within another form of the screen.
                event.stopPropagation();
                onSubmit();
              }}
            >
              {content}
            </form>
          ) : (
            content
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The result of `onConfirm` that keeps the dialog open to show something. */
export const KEEP_OPEN = Symbol('keep open');

/** Asks for confirmation, or for what an action needs. `target` names the tenant and the environment, if it is in one. */
export function Confirm({
  onClose,
  title,
  target,
  action,
  onConfirm,
  children,
  danger = true,
  disabled = false,
}: Pick<DialogProps, 'onClose' | 'title'> & {
  target?: ReactNode;
  action: string;
  onConfirm: () => Promise<unknown>;
  children?: ReactNode;
  danger?: boolean;
  /** While there is nothing to do. */
  disabled?: boolean;
}) {
  const closeIt = useClose();
  const close = onClose ?? closeIt;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      if ((await onConfirm()) !== KEEP_OPEN) close();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      onClose={close}
      title={title}
      onSubmit={() => void confirm()}
      foot={
        <>
          <Button onClick={close}>Go back</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            disabled={disabled || busy}
            busy={busy}
          >
            {action}
          </Button>
        </>
      }
    >
      {target}
      {children}
      <ErrorNotice error={error} />
    </Dialog>
  );
}

export interface TabItem {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function Tabs({
  items,
  label,
  value,
  onChange,
}: {
  items: readonly TabItem[];
  label: string;
  value?: string;
  onChange?: (id: string) => void;
}) {
  const first = items[0]?.id;
  return (
    <BaseTabs.Root
      {...(value === undefined ? { defaultValue: first } : { value })}
      onValueChange={(id) => onChange?.(String(id))}
    >
      <BaseTabs.List className="tab-list" aria-label={label} activateOnFocus>
        {items.map(({ id, label: name }) => (
          <BaseTabs.Tab key={id} value={id} className="tab">
            {name}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {items.map(({ id, content }) => (
        <BaseTabs.Panel key={id} value={id} className="tab-panel">
          {content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
