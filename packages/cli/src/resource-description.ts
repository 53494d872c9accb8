/** A field of a request body, for user interfaces. */
export interface FieldDescription {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json';
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly about: string;
  /** Its only values, if it is an enum. */
  readonly choices?: readonly string[];
}

/** A call of a resource, derived from the OpenAPI document. */
export interface CallDescription {
  /** Its name in the client. `list` is read in pages. */
  readonly name: string;
  readonly summary: string;
  /** The parameters of its path, in order. */
  readonly parameters: readonly { readonly name: string; readonly about: string }[];
  /** Whether the last parameter identifies the resource itself, and not its parent. */
  readonly isOnOne: boolean;
  /** Null if there is no body. */
  readonly body: readonly FieldDescription[] | null;
  /** For a list: what its query can filter by. */
  readonly filters: readonly FieldDescription[];
  /** For a list: the fields of an entry that are neither objects nor lists. Null for any other call. */
  readonly columns: readonly string[] | null;
}

/** A resource whose calls are generated. */
export interface ResourceDescription {
  readonly name: string;
  /** Its name in the client. */
  readonly member: string;
  readonly about: string;
  readonly calls: readonly CallDescription[];
}
