export { StartGate } from "./access/start-gate.ts";
export { createHttpServer, type HttpServerOptions } from "./http-server.ts";
export { BridgeMetrics, type RunNumbers } from "./metrics.ts";
export { createWebhookServer, type WebhookServer } from "./webhooks/webhook-server.ts";
