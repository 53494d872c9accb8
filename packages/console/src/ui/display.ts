/** Components that show data. The frame imports the modules themselves, which are less. */
export * from './feedback.tsx';
export * from './links.tsx';
export * from './list.tsx';
export * from './read.tsx';
export * from './status.tsx';
