/** The folders of generated types, and how they are generated from an OpenAPI document. */
export interface OtherLanguage {
  /** The file from the root of the checkout. */
  readonly file: string;
  /**
   * Returns the text of the file.
   * @param tools for Python the folder of datamodel-codegen, for Go the path of `go`
   */
  generate(document: unknown, tools: string): Promise<string>;
}

export const PYTHON: OtherLanguage;
export const GO: OtherLanguage;
/** Of the Python client: what its tests and its generator need. */
export const PYTHON_REQUIREMENTS: string;
