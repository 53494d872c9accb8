export {
  type CheckResult,
  createRenderer,
  type Renderer,
  type RendererOptions,
  type RenderFailure,
  type RenderOptions,
} from './renderer.ts';
