import { ContractError } from "@xworkmate/contracts";
import type { FastifyInstance, HTTPMethods } from "fastify";

const REFUSABLE: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Adds a 405 to every later route for the HTTP methods that it does not serve. */
export function refuseOtherMethods(app: FastifyInstance): void {
	app.addHook("onRoute", (route) => {
		if (route.config !== undefined && "refuses" in route.config) return;
		const served = [route.method].flat();
		app.route({
			method: REFUSABLE.filter((method) => !served.includes(method)),
			url: route.url,
			config: { refuses: true, ...(route.config?.isPublic === true ? { isPublic: true } : {}) },
			// Answers before a body is read.
			onRequest: async (_request, reply) => {
				reply.header("allow", served.join(", "));
				throw new ContractError("METHOD_NOT_ALLOWED");
			},
			handler: async () => {},
		});
	});
}

declare module "fastify" {
	interface FastifyContextConfig {
		/** True if this route only reports that the path does not support the method. */
		refuses?: true;
	}
}
