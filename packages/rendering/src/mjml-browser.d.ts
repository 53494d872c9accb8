/** The part of MJML that is used here; the package has no types of its own. */
declare module 'mjml-browser' {
  interface MjmlIssue {
    readonly line: number;
    readonly message: string;
    readonly tagName: string;
  }
  interface MjmlOptions {
    readonly validationLevel: 'strict' | 'skip';
    readonly ignoreIncludes: true;
  }
  export default function mjml2html(
    source: string,
    options: MjmlOptions,
  ): Promise<{ html: string; errors: readonly MjmlIssue[] }>;
}
