export { type AcpProvidersDeps, createAcpProviders } from "./create-acp-providers.ts";
export type { AcpBounds } from "./process/acp-bounds.ts";
export type { AgentLog } from "./process/agent-report.ts";
