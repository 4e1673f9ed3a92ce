import { type MethodName, methods } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { TransportScene } from "../support/transport-scene.ts";

/** How often a method reaches a bridge that never answers, and what the call ends with. */
async function sent(method: MethodName): Promise<{ readonly times: number; readonly code: unknown }> {
	await using scene = await TransportScene.open();
	scene.bridge.fault = () => ({ kind: "destroy" });
	const code = await scene.client.call(method, {} as never).then(
		() => "answered",
		(error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
	);
	return { times: scene.bridge.calls.length, code };
}

it.each([
	"xworkmate.threads.delete",
	"xworkmate.tools.add",
	"xworkmate.plans.review",
	"xworkmate.plans.cancel",
	"xworkmate.agents.cancel",
	"xworkmate.agents.remove",
	"xworkmate.agents.signIn",
	"xworkmate.auth.remove",
	"xworkmate.contacts.remove",
] as const)("%s is sent once: a repeat could act again, or report that there was nothing to do", async (method) => {
	expect(methods[method].effects).toBe(true);
	expect(await sent(method)).toEqual({ times: 1, code: "ACP_HTTP_CONNECTION_CLOSED" });
});

it.each(["xworkmate.tasks.get", "xworkmate.plans.run", "xworkmate.channels.test", "xworkmate.approvals.decide"] as const)(
	"%s is sent again: it changes nothing, or has an id that makes a repeat harmless",
	async (method) => {
		expect(await sent(method)).toEqual({ times: 2, code: "ACP_HTTP_CONNECTION_CLOSED" });
	},
);
