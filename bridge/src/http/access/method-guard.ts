import { ContractError } from "@xworkmate/contracts";
import type { FastifyInstance, HTTPMethods } from "fastify";

const REFUSABLE: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Gives every route that is added from here on a 405 for the HTTP methods it does not serve. */
export function refuseOtherMethods(app: FastifyInstance): void {
	app.addHook("onRoute", (route) => {
		if (route.config !== undefined && "refuses" in route.config) return;
		const served = [route.method].flat();
		app.route({
			method: REFUSABLE.filter((method) => !served.includes(method)),
			url: route.url,
			config: { refuses: true, ...(route.config?.isPublic === true ? { isPublic: true } : {}) },
			// Before a body is read.
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
		/** This route only reports that the path does not support the method. */
		refuses?: true;
	}
}
