import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useClose } from './dialogs.tsx';
import { Button } from './parts.tsx';

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
  /** The text of a button at the foot that closes it. */
  readonly close?: string;
  /** Closes the dialog of the screen by default. */
  readonly onClose?: (() => void) | undefined;
  readonly wide?: boolean;
  /** Makes the dialog a form that Enter in a field submits. */
  readonly onSubmit?: () => void;
  /** Whether the dialog instead of the browser says what is missing in the form. */
  readonly noValidate?: boolean | undefined;
}

/** A modal dialog. It keeps the focus, closes with Escape, and then returns the focus. */
export function Dialog({ title, children, close, wide, onSubmit, noValidate, ...props }: DialogProps) {
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
              noValidate={noValidate}
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

/** A name, what it shows, and its id, by default the name; nothing is shown for an empty item. */
export type TabItem = readonly [label: string, content: ReactNode, id?: string] | false | null | undefined;

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
  const tabs = items.flatMap((item) =>
    item ? [{ label: item[0], content: item[1], id: item[2] ?? item[0] }] : [],
  );
  return (
    <BaseTabs.Root
      {...(value === undefined ? { defaultValue: tabs[0]?.id } : { value })}
      onValueChange={(id) => onChange?.(String(id))}
    >
      <BaseTabs.List className="tab-list" aria-label={label} activateOnFocus>
        {tabs.map(({ id, label: name }) => (
          <BaseTabs.Tab key={id} value={id} className="tab">
            {name}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map(({ id, content }) => (
        <BaseTabs.Panel key={id} value={id} className="tab-panel">
          {content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
