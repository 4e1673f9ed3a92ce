import { AgentVariableName, ProviderId } from "@xworkmate/contracts";
import { type Command, InvalidArgumentError } from "commander";
import { type Act, checked, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import { addRemoval } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { agentRemoval } from "../parts/removals.ts";
import { cancelAgent, checkAgents, installAgent, listAgents, removeAgent, testAgents, updateAgent } from "./agent-commands.ts";
import { type LoginFlags, loginAgent, logoutAgent } from "./agent-login.ts";

/** `xworkmate agents ...` */
export function addAgents(program: Command, context: ProgramContext): void {
	const agents = program.command("agents").description("Install, update, sign in to, test and remove agents");
	const agentId = (id: string) => checked(ProviderId.safeParse(id), "the id of an agent, such as goose");
	const add = (name: string, description: string, argument?: "<agent>" | "[agent]") => {
		const command = agents
			.command(name, name === "list" ? { isDefault: true } : {})
			.description(description)
			.addOption(json);
		return argument === undefined ? command : command.argument(argument, "The agent's id", agentId);
	};
	const performed =
		<Given>(act: (output: Output, given: Given, context: ProgramContext) => ReturnType<Act>) =>
		(given: Given, flags: { json?: boolean }) =>
			perform(context, flags, (output) => act(output, given, context));
	add("list", "List agents, their state, and what you can do with them").action((flags: { json?: boolean }) =>
		perform(context, flags, listAgents),
	);
	add("install", "Install an agent for XWorkmate only, and test it", "<agent>").action(performed(installAgent));
	add("check", "Ask the npm registry for newer versions of the installed agents; installs nothing").action((flags: { json?: boolean }) =>
		perform(context, flags, checkAgents),
	);
	add("update", "Update an agent; without an id, list the agents that have an update", "[agent]").action(performed(updateAgent));
	add("cancel", "Stop an installation, update or sign-in", "<agent>").action(performed(cancelAgent));
	const remove = agents
		.command("remove")
		.description("Remove an agent that XWorkmate installed, along with everything stored for it; asks first")
		.argument("<agent>", "The agent's id", agentId);
	addRemoval(remove, context, agentRemoval, removeAgent);
	add("test", "Start one agent, or all of them, and open a conversation, without calling a model", "[agent]").action(performed(testAgents));
	add("login", "Sign in to an agent; without --method, list its sign-in methods if it has several", "<agent>")
		.option("--method <method>", "The sign-in method")
		.option("--set <name=value>", "A variable of this method that is not a secret, such as a model; repeat for more", variable)
		.action((id: ProviderId, { json: isJson, ...flags }: LoginFlags & { json?: boolean }) =>
			perform(context, isJson === undefined ? {} : { json: isJson }, (output) => loginAgent(output, id, flags, context)),
		);
	add("logout", "Sign out of an agent: remove the sign-in that XWorkmate stored for it", "<agent>").action(performed(logoutAgent));
}

function variable(given: string, before: LoginFlags["set"] = {}): LoginFlags["set"] {
	const [name = "", ...rest] = given.split("=");
	const value = rest.join("=");
	if (!AgentVariableName.safeParse(name).success || value.trim() === "")
		throw new InvalidArgumentError("It must have the form name=value, where name is a variable of the sign-in method.");
	return { ...before, [name]: value };
}
