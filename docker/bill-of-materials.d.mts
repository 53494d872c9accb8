/** A package that an artefact holds, with its licence as an SPDX expression; empty when it names none. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

export interface LicencePolicy {
  readonly allowed: readonly string[];
  readonly exceptions: readonly {
    readonly package: string;
    readonly licence: string;
    readonly reason: string;
  }[];
}

export const BILL_OF_MATERIALS: string;
export function dependenciesIn(bill: unknown): Dependency[];
export function findLicenceProblems(dependencies: readonly Dependency[], policy: LicencePolicy): string[];
export function findUnlisted(bundled: readonly Omit<Dependency, 'licence'>[], bill: unknown): string[];
export function writeBillOfMaterials(
  target: string,
  directory: string,
  bundled: readonly Omit<Dependency, 'licence'>[],
): void;
