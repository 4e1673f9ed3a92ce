export { ProviderCatalogue } from "./describe-providers.ts";
export { type RoutingDefaults, resolveRouting } from "./resolve-routing.ts";
