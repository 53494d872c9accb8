/** By each path of self-service, the path of the management API with the same bodies, queries and successes. */
export function managementTwins(document: object): ReadonlyMap<string, string>;
