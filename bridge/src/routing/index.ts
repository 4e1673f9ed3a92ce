export { ProviderCatalogue, type TestsOfProviders } from "./describe-providers.ts";
export { conversationRouting, type RoutingTerms, resolveRouting } from "./resolve-routing.ts";
