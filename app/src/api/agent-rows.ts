import { type Agent, type MethodResult, methods } from "@xworkmate/contracts";
import { action, commandOnly, type Functions, nothing, query, repeatable } from "./method.ts";

/** Installing, updating, signing in to and testing agents, all on the bridge's computer. */
export const agentRows = {
	/** The agents of the catalogue, each with its state on the bridge's computer. */
	agents: query(nothing).returns<MethodResult<"xworkmate.agents.list">>(),
	/** Starts an installation. Its progress is part of `agents`. */
	installAgent: action(methods["xworkmate.agents.install"].params).returns<Agent>(),
	updateAgent: action(methods["xworkmate.agents.update"].params).returns<Agent>(),
	cancelAgent: action(methods["xworkmate.agents.cancel"].params).returns<MethodResult<"xworkmate.agents.cancel">>(),
	removeAgent: action(methods["xworkmate.agents.remove"].params).returns<MethodResult<"xworkmate.agents.remove">>(),
	testAgent: action(methods["xworkmate.agents.test"].params).returns<Agent>(),
	/** Asks the npm registry for newer versions, within 20 seconds. A refusal is part of the result and is not thrown. */
	checkAgents: repeatable(action(nothing).returns<MethodResult<"xworkmate.agents.check">>()),
	signInAgent: action(methods["xworkmate.agents.signIn"].params).returns<Agent>(),
	/**
	 * What a command runs in its own terminal so that the user can sign in.
	 * @throws AppError BRIDGE_NOT_OWN
	 */
	agentTerminal: commandOnly(query(methods["xworkmate.agents.terminal"].params).returns<MethodResult<"xworkmate.agents.terminal">>()),
};

export type AgentFunctions = Functions<typeof agentRows>;
