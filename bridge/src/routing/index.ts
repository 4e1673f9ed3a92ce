export { ProviderCatalogue } from "./describe-providers.ts";
export { resolveRouting } from "./resolve-routing.ts";
