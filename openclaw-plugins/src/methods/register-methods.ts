import { type OpenClawMethodName, openClawMethods } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { z } from "zod";
import type { GatewayErrorShape, PluginApi } from "../host/plugin-api.ts";
import { PluginError, refusalIn } from "../platform/plugin-error.ts";
import type { Handlers } from "./handlers.ts";

type Call = (params: unknown) => Promise<unknown>;

/** Registers every method of the contract, each with the operator scope that its callers need. */
export function registerMethods(api: PluginApi, handlers: () => Handlers): void {
	const names = Object.keys(openClawMethods).filter(isMethodName);
	for (const name of names) {
		const { scope } = openClawMethods[name];
		api.registerGatewayMethod(
			name,
			async ({ params, respond }) => {
				try {
					respond(true, await bindMethods(handlers())[name](params));
				} catch (error) {
					// If a handler never responds, its caller waits indefinitely.
					respond(false, undefined, toGatewayError(error));
					if (refusalIn(error) === undefined) api.logger.error(`xworkmate: ${name} failed: ${errorMessage(error)}`);
				}
			},
			{ scope },
		);
	}
}

function isMethodName(name: string): name is OpenClawMethodName {
	return Object.hasOwn(openClawMethods, name);
}

function bindMethods(handlers: Handlers): Readonly<Record<OpenClawMethodName, Call>> {
	const all = openClawMethods;
	return {
		"xworkmate.session.prepare": bind(all["xworkmate.session.prepare"], handlers["xworkmate.session.prepare"]),
		"xworkmate.session.release": bind(all["xworkmate.session.release"], handlers["xworkmate.session.release"]),
		"xworkmate.tasks.get": bind(all["xworkmate.tasks.get"], handlers["xworkmate.tasks.get"]),
		"xworkmate.tasks.cancel": bind(all["xworkmate.tasks.cancel"], handlers["xworkmate.tasks.cancel"]),
		"xworkmate.artifacts.collect-and-snapshot": bind(
			all["xworkmate.artifacts.collect-and-snapshot"],
			handlers["xworkmate.artifacts.collect-and-snapshot"],
		),
		"xworkmate.artifacts.export": bind(all["xworkmate.artifacts.export"], handlers["xworkmate.artifacts.export"]),
		"xworkmate.artifacts.read": bind(all["xworkmate.artifacts.read"], handlers["xworkmate.artifacts.read"]),
		"xworkmate.approvals.list": bind(all["xworkmate.approvals.list"], handlers["xworkmate.approvals.list"]),
		"xworkmate.approvals.answer": bind(all["xworkmate.approvals.answer"], handlers["xworkmate.approvals.answer"]),
		"xworkmate.doctor": bind(all["xworkmate.doctor"], handlers["xworkmate.doctor"]),
	};
}

/**
 * Validates the params before the handler gets them.
 * @throws PluginError INVALID_PARAMS
 */
function bind<P extends z.ZodType>(method: { readonly params: P }, handler: (params: z.output<P>) => unknown): Call {
	return async (params) => {
		const parsed = method.params.safeParse(params ?? {});
		if (!parsed.success) throw new PluginError("INVALID_PARAMS", z.prettifyError(parsed.error));
		return handler(parsed.data);
	};
}

/** The gateway's own codes are a closed set, so ours is in the details. */
function toGatewayError(error: unknown): GatewayErrorShape {
	const { code = "INTERNAL", message = "the plugin failed; the gateway's log has the cause" } = refusalIn(error) ?? {};
	return { code: code === "INTERNAL" ? "UNAVAILABLE" : "INVALID_REQUEST", message, details: { code } };
}
