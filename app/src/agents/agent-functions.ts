import type { AgentFunctions } from "../api/agent-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";

/** @param isOwnBridge whether the bridge is the home's own, which means that its agents are on this computer */
export function agentFunctions(client: BridgeClient, isOwnBridge: boolean): AgentFunctions {
	return {
		agents: () => client.call("xworkmate.agents.list", {}),
		installAgent: (agent) => client.call("xworkmate.agents.install", agent),
		updateAgent: (agent) => client.call("xworkmate.agents.update", agent),
		cancelAgent: (agent) => client.call("xworkmate.agents.cancel", agent),
		removeAgent: (agent) => client.call("xworkmate.agents.remove", agent),
		testAgent: (agent) => client.call("xworkmate.agents.test", agent),
		checkAgents: () => client.call("xworkmate.agents.check", {}),
		signInAgent: (way) => client.call("xworkmate.agents.signIn", way),
		async agentTerminal(way) {
			// A bridge that was started elsewhere must not decide what runs on this computer.
			if (isOwnBridge) return await client.call("xworkmate.agents.terminal", way);
			throw new AppError(
				"BRIDGE_NOT_OWN",
				"The bridge was started elsewhere, so you can't sign in to its agents from this terminal.",
				"Run this command where the bridge was started, with that bridge's own data folder.",
			);
		},
	};
}
