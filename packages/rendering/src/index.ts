export { outliveParentBy } from './outlive-parent.ts';
export type { NewPart, PartCheck } from './prepare.ts';
export {
  type Answered,
  createRenderer,
  defaultRenderProcesses,
  type Renderer,
  type RendererOptions,
  type RenderFailure,
  type RenderOptions,
} from './renderer.ts';
export type { PreviewedEmail, SourcedEmail } from './task.ts';
