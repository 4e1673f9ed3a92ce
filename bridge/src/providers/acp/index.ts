export type { AcpBounds } from "./acp-bounds.ts";
export type { AgentLog } from "./agent-connection.ts";
export { type AcpProvidersDeps, createAcpProviders } from "./create-acp-providers.ts";
