export {
  type CheckResult,
  createRenderer,
  RENDER_TIME_LIMIT_MS,
  type Renderer,
  type RendererOptions,
  type RenderFailure,
  type RenderOptions,
} from './renderer.ts';
