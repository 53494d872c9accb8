/** Components for input: forms, fields, dialogs. The frame imports the modules themselves, which are less. */
export * from './change.tsx';
export * from './editor.tsx';
export * from './fields.ts';
export * from './form.tsx';
export * from './object-form.tsx';
export * from './target.tsx';
export * from './toasts.ts';
