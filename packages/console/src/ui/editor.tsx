import { lazy, Suspense } from 'react';
import { Loading } from './parts.tsx';

/** An issue at a place of the text; lines and columns count from 1. */
export interface Issue {
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export interface EditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly language: 'html' | 'json' | 'text';
  readonly issues?: readonly Issue[];
  readonly minHeight?: number;
}

const CodeMirror = lazy(() => import('./code-mirror.tsx'));

/** A text editor with highlighting and inline errors. Its code is loaded when it is first shown. */
export function Editor(props: EditorProps) {
  return (
    <Suspense fallback={<Loading label={`Loading the editor of ${props.label}`} />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}

/** An editor as a field of a form, below its title. */
export function EditorField({ title, ...editor }: EditorProps & { readonly title?: string }) {
  return (
    <div className="field">
      <span className="label">{title ?? editor.label}</span>
      <Editor {...editor} />
    </div>
  );
}
