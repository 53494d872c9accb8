/**
 * The part of the global that the schema engine's loader uses; Node's own types leave it to the DOM library.
 */
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  function instantiate(
    bytes: Uint8Array,
    imports: Record<string, ModuleImports>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
