import { openRpcDocument } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { StartGate } from "./access/start-gate.ts";
import type { BridgeMetrics } from "./metrics.ts";

/**
 * `GET` and `HEAD` `/healthz` and `/readyz` (no token), `/metrics` and `/openrpc.json`. `isHomeThere` checks whether the bridge's files are
 * still at their path.
 */
export function serveHealth(app: FastifyInstance, metrics: BridgeMetrics, gate: StartGate, isHomeThere: () => boolean): void {
	app.route({
		method: ["GET", "HEAD"],
		url: "/healthz",
		config: { isPublic: true },
		handler: async (_request, reply) => {
			if (isHomeThere()) return { status: "ok" };
			return reply.code(503).send({ status: "home_gone" });
		},
	});
	app.route({
		method: ["GET", "HEAD"],
		url: "/readyz",
		config: { isPublic: true },
		handler: async (_request, reply) => {
			if (!isHomeThere()) return reply.code(503).send({ status: "home_gone" });
			return gate.isOpen ? { status: "ready" } : reply.code(503).send({ status: "starting" });
		},
	});
	app.route({
		method: ["GET", "HEAD"],
		url: "/metrics",
		handler: async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.read()),
	});
	app.route({
		method: ["GET", "HEAD"],
		url: "/openrpc.json",
		// Built on demand: it is rarely requested, and building it would slow down every start.
		handler: async (_request, reply) => reply.type("application/json; charset=utf-8").send(JSON.stringify(openRpcDocument())),
	});
}
