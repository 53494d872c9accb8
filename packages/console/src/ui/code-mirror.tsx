import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { EditorProps, Issue } from './editor.tsx';

/** `{{ … }}` and `{% … %}` of Liquid, in every language. */
const liquid = new MatchDecorator({
  regexp: /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g,
  decoration: Decoration.mark({ class: 'cm-liquid' }),
});
const liquidHighlight = ViewPlugin.fromClass(
  class {
    decorations;
    constructor(view: EditorView) {
      this.decorations = liquid.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = liquid.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '12.5px', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', maxHeight: '520px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected) !important',
  },
  '.cm-liquid': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
  },
});
const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.propertyName], color: 'var(--info)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.comment], color: 'var(--text-3)' },
  { tag: [tags.attributeName], color: 'var(--text-2)' },
]);

const lintJson = jsonParseLinter();

const LANGUAGES: Record<EditorProps['language'], () => Extension[]> = {
  html: () => [html()],
  json: () => [json(), linter((view) => (view.state.doc.length === 0 ? [] : lintJson(view)), { delay: 300 })],
  text: () => [],
};

function diagnosticsOf(state: EditorState, issues: readonly Issue[]): Diagnostic[] {
  return issues.map(({ line, column, message, severity }) => {
    const at = state.doc.line(Math.min(Math.max(1, line ?? 1), state.doc.lines));
    const from = Math.min(at.from + Math.max(0, (column ?? 1) - 1), at.to);
    return { from, to: at.to, severity, message };
  });
}

/**
 * CodeMirror in a shadow root, where it uses constructed style sheets. In the document it would add `<style>`
 * elements, which the content security policy refuses.
 */
export default function CodeMirror({
  label,
  value,
  onChange,
  language,
  issues = [],
  minHeight = 120,
}: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  change.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the value goes in below; a new one makes no new editor
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          lintGutter(),
          EditorView.lineWrapping,
          // Tab moves to the next control, so that keyboard users can leave the editor.
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
          EditorView.theme({ '.cm-content, .cm-gutter': { minHeight: `${minHeight}px` } }),
          EditorState.readOnly.of(!change.current),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) change.current?.(state.doc.toString());
          }),
          liquidHighlight,
          syntaxHighlighting(colours),
          theme,
          ...LANGUAGES[language](),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, [label, language, minHeight]);

  // In the commit, not after it: otherwise the old value would replace text that is typed in between.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, issues)));
  }, [issues]);

  return <div className="editor" ref={host} />;
}
