import { openRpcDocument } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { BridgeMetrics } from "./metrics.ts";

/** `GET /healthz` (no token), `GET /metrics`, `GET /openrpc.json`. */
export function serveHealth(app: FastifyInstance, metrics: BridgeMetrics): void {
	const document = JSON.stringify(openRpcDocument());
	app.route({
		method: ["GET", "HEAD"],
		url: "/healthz",
		config: { isPublic: true },
		handler: async () => ({ status: "ok" }),
	});
	app.route({
		method: ["GET", "HEAD"],
		url: "/metrics",
		handler: async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
	});
	app.route({
		method: ["GET", "HEAD"],
		url: "/openrpc.json",
		handler: async (_request, reply) => reply.type("application/json; charset=utf-8").send(document),
	});
}
