export { type AppDeps, createApp } from './app.ts';
