export { ProviderCatalogue } from "./describe-providers.ts";
export { conversationRouting, type RoutingDefaults, resolveRouting } from "./resolve-routing.ts";
