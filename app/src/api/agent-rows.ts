import { type Agent, type MethodResult, methods } from "@xworkmate/contracts";
import { action, commandOnly, type Functions, nothing, query } from "./method.ts";

/** Agents: installed, updated, signed in and tested on the bridge's computer. */
export const agentRows = {
	/** The agents of the catalogue, and how each is on the bridge's computer. */
	agents: query(nothing).returns<MethodResult<"xworkmate.agents.list">>(),
	/** Begins; how far it is, is in `agents`. */
	installAgent: action(methods["xworkmate.agents.install"].params).returns<Agent>(),
	updateAgent: action(methods["xworkmate.agents.update"].params).returns<Agent>(),
	cancelAgent: action(methods["xworkmate.agents.cancel"].params).returns<Agent>(),
	removeAgent: action(methods["xworkmate.agents.remove"].params).returns<Agent>(),
	testAgent: action(methods["xworkmate.agents.test"].params).returns<Agent>(),
	/** Asks the registry of npm for newer versions, within 20 seconds; a refusal is part of the result and not thrown. */
	checkAgents: action(nothing).returns<MethodResult<"xworkmate.agents.check">>(),
	signInAgent: action(methods["xworkmate.agents.signIn"].params).returns<Agent>(),
	/** What to run in this terminal to sign in. @throws AppError BRIDGE_NOT_OWN */
	agentTerminal: commandOnly(query(methods["xworkmate.agents.terminal"].params).returns<MethodResult<"xworkmate.agents.terminal">>()),
};

export type AgentFunctions = Functions<typeof agentRows>;
