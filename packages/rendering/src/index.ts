export {
  type Answered,
  createRenderer,
  type Renderer,
  type RendererOptions,
  type RenderFailure,
  type RenderOptions,
} from './renderer.ts';
export type { PreviewedEmail } from './task.ts';
