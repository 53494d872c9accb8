import { Check } from '../ui/form.tsx';
import { Dialog } from '../ui/overlays.tsx';
import { changeSettings, useSettings } from './settings.ts';
import { SHORTCUTS } from './shortcuts.ts';

/** Every shortcut, and the switch that turns them off. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const { shortcuts } = useSettings();
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <dl className="facts">
        {SHORTCUTS.map(([keys, does]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>
              {keys.split(' ').map((key) => (
                <span key={key}>
                  <kbd>{key}</kbd>{' '}
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label="Use keyboard shortcuts"
        hint="Turn them off if they conflict with those of your browser or screen reader."
        checked={shortcuts}
        onChange={(event) => changeSettings({ shortcuts: event.target.checked })}
      />
    </Dialog>
  );
}
