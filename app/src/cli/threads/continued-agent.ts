import { omitUndefined } from "@xworkmate/contracts";
import type { SendRequest, ShownThread } from "../../api/app-api.ts";
import { oneLine } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";
import type { RunFlags } from "./run-request.ts";

/**
 * Makes a message continue its thread with the agent and the model of the thread's last run, unless the flags name an agent or another
 * target. Prints the agent, because the user did not name one.
 */
export function continuedAgent(
	request: SendRequest,
	agent: ShownThread["agent"],
	{ provider, target, model }: Pick<RunFlags, "provider" | "target" | "model">,
	console: Console,
): SendRequest {
	const isElsewhere = provider !== undefined || (target !== undefined && target !== agent?.executionTarget);
	if (agent?.providerId === undefined || isElsewhere) return request;
	console.note(`Continuing with the thread's agent ${oneLine(agent.providerId)}. To use another one, add --provider.`);
	return { ...request, routing: { ...agent, ...omitUndefined({ model }) } };
}
