import { diffLines } from 'diff';
import { toJson } from './format.ts';

const MARKS = { add: '+ ', remove: '− ', same: '  ' };

/** The differences between two texts by line, marked with signs as well as colours. */
export default function Diff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value == null ? '' : (toJson(value) ?? '');
  const lines = diffLines(text(before), text(after)).flatMap(({ added, removed, value }) => {
    const kind: keyof typeof MARKS = added ? 'add' : removed ? 'remove' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => ({ kind, line }));
  });
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code-text" tabIndex={0} aria-label={label}>
        <pre>
          {lines.map(({ kind, line }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            <span key={index} className={`diff-line diff-${kind}`}>
              {MARKS[kind]}
              {line}
            </span>
          ))}
        </pre>
      </section>
    </div>
  );
}
