/** A feature that a mail program does not support, and how it is found in a mail. */
export interface MailFeature {
  readonly title: string;
  readonly by: readonly string[];
  readonly clients: readonly string[];
}

/** Written by scripts/mail-features.mjs from caniemail.com of 2025-09-09 (MIT licence, Rémi Parmentier and contributors). */
export const MAIL_FEATURES: readonly MailFeature[] = [
  {
    title: 'align-items',
    by: ['property', 'align-items'],
    clients: ['Gmail', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'animation',
    by: ['property', 'animation'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'aspect-ratio',
    by: ['property', 'aspect-ratio'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '@keyframes',
    by: ['at', 'keyframes'],
    clients: ['Gmail', 'Outlook.com', 'Outlook for Windows'],
  },
  {
    title: '@supports',
    by: ['at', 'supports'],
    clients: ['Gmail', 'Outlook.com', 'Outlook for Windows'],
  },
  {
    title: 'backdrop-filter',
    by: ['property', 'backdrop-filter'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'background-blend-mode',
    by: ['property', 'background-blend-mode'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'background-clip',
    by: ['property', 'background-clip'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'box-shadow',
    by: ['property', 'box-shadow'],
    clients: ['Gmail', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'clip-path',
    by: ['property', 'clip-path'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'column-count',
    by: ['property', 'column-count'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'conic-gradient()',
    by: ['function', 'conic-gradient'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'display:grid',
    by: ['value', 'display', 'grid'],
    clients: ['Gmail', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'filter',
    by: ['property', 'filter'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'font-stretch',
    by: ['property', 'font-stretch'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'clamp()',
    by: ['function', 'clamp'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'light-dark()',
    by: ['function', 'light-dark'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'max()',
    by: ['function', 'max'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'min()',
    by: ['function', 'min'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'gap, column-gap, row-gap',
    by: ['property', 'gap'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'inset',
    by: ['property', 'inset'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'justify-content',
    by: ['property', 'justify-content'],
    clients: ['Gmail', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'linear-gradient()',
    by: ['function', 'linear-gradient'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'mask-image',
    by: ['property', 'mask-image'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'mix-blend-mode',
    by: ['property', 'mix-blend-mode'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'object-fit',
    by: ['property', 'object-fit'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'object-position',
    by: ['property', 'object-position'],
    clients: ['Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'position',
    by: ['property', 'position'],
    clients: ['Gmail', 'Outlook for Windows'],
  },
  {
    title: 'radial-gradient()',
    by: ['function', 'radial-gradient'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'shape-outside',
    by: ['property', 'shape-outside'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'text-shadow',
    by: ['property', 'text-shadow'],
    clients: ['Gmail', 'Outlook.com', 'Outlook for Windows'],
  },
  {
    title: 'transform',
    by: ['property', 'transform'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'transition',
    by: ['property', 'transition'],
    clients: ['Gmail', 'Outlook.com', 'Outlook for Windows'],
  },
  {
    title: 'CSS calc() function',
    by: ['function', 'calc'],
    clients: ['Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'CSS Variables (Custom Properties)',
    by: ['function', 'var'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'visibility',
    by: ['property', 'visibility'],
    clients: ['Gmail', 'Outlook for Windows'],
  },
  {
    title: 'z-index',
    by: ['property', 'z-index'],
    clients: ['Gmail', 'Outlook for Windows'],
  },
  {
    title: '<audio> element',
    by: ['element', 'audio'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<dialog> element',
    by: ['element', 'dialog'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<marquee> element',
    by: ['element', 'marquee'],
    clients: ['Gmail', 'Outlook for Windows'],
  },
  {
    title: '<meter> element',
    by: ['element', 'meter'],
    clients: ['Gmail', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<object> element',
    by: ['element', 'object'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<picture> element',
    by: ['element', 'picture'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'popover attribute',
    by: ['attribute', 'popover'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<progress> element',
    by: ['element', 'progress'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'srcset and sizes attributes',
    by: ['attribute', 'srcset'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: 'Embedded <svg> image',
    by: ['element', 'svg'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
  {
    title: '<video> element',
    by: ['element', 'video'],
    clients: ['Gmail', 'Outlook.com', 'Yahoo Mail', 'Outlook for Windows'],
  },
];
