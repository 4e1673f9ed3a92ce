export { type AcpBounds, defaultBounds } from "./acp-bounds.ts";
export type { AgentLog } from "./agent-connection.ts";
export { type AcpProvidersDeps, createAcpProviders } from "./create-acp-providers.ts";
