import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { path, useMay, useSession } from '../api/index.ts';
import { usePages } from './navigation.ts';
import { changeSettings, useRecent, useSettings } from './settings.ts';

interface Command {
  readonly name: string;
  readonly group: string;
  run(): void;
}

/** A searchable list of all screens and switches. */
export function Palette({
  onClose,
  environmentId,
  onSwitch,
  onShortcuts,
}: {
  onClose: () => void;
  environmentId: string | undefined;
  onSwitch: (() => void) | undefined;
  onShortcuts: () => void;
}) {
  const session = useSession();
  const navigate = useNavigate();
  const pages = usePages();
  const may = useMay();
  const { theme, density } = useSettings();
  const recent = useRecent();
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const isOperator = session.role === 'operator';

  const go = (to: string) => () => void navigate({ to });
  const commands: Command[] = [
    ...(environmentId
      ? pages.environment.map((page) => ({
          name: page.name,
          group: 'Go to',
          run: go(`${path`/e/${environmentId}`}/${page.path}`),
        }))
      : []),
    ...pages.installation.map((page) => ({ name: page.name, group: 'Go to', run: go(page.path) })),
    ...(isOperator
      ? recent.map(({ id, name, tenant }) => ({
          name: `${tenant} / ${name}`,
          group: 'Environment',
          run: go(path`/e/${id}/overview`),
        }))
      : []),
    ...(onSwitch ? [{ name: 'Switch the environment', group: 'Environment', run: onSwitch }] : []),
    ...(['system', 'light', 'dark'] as const)
      .filter((each) => each !== theme)
      .map((each) => ({
        name: `Theme: ${each}`,
        group: 'Settings',
        run: () => changeSettings({ theme: each }),
      })),
    {
      name: density === 'compact' ? 'Rows: comfortable' : 'Rows: compact',
      group: 'Settings',
      run: () => changeSettings({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    },
    { name: 'Keyboard shortcuts', group: 'Settings', run: onShortcuts },
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ name, group }) =>
    words.every((word) => `${group} ${name}`.toLowerCase().includes(word)),
  );
  const text = query.trim();
  if (text && may('findByText'))
    found.push({
      name: `Search for “${text}”`,
      group: 'Messages and names',
      run: () => void navigate({ to: '/lookup', search: { q: text, environment: environmentId } }),
    });
  const current = Math.min(index, found.length - 1);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex(Math.min(current + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setIndex(Math.max(current - 1, 0));
    else if (event.key === 'Enter') run(found[current]);
    else return;
    event.preventDefault();
  };

  // Left to the dialog, the focus moves a frame later, and keys typed until then are lost.
  const focusInput = () => {
    input.current?.focus();
    return false;
  };

  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className="dialog" aria-label="Palette" initialFocus={focusInput}>
          <input
            className="input palette-input"
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
            aria-label="Go to a screen, an environment or a setting"
            ref={input}
            placeholder="Go to a screen, an environment or a setting"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setIndex(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div className="palette-list" role="listbox" id={listId} aria-label="Results">
            {found.map((command, position) => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: as above
              <div
                key={`${command.group} ${command.name}`}
                id={`${listId}-${position}`}
                role="option"
                aria-selected={position === current}
                className="palette-item"
                onClick={() => run(command)}
                onMouseMove={() => setIndex(position)}
              >
                {command.name}
                <span className="small muted">{command.group}</span>
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="card-body muted">No matches.</p>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
