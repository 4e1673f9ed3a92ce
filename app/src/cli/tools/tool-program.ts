import { IntegrationId, ToolId } from "@xworkmate/contracts";
import { Argument, type Command } from "commander";
import { type Act, checked, hashDigits, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import type { Output } from "../parts/output.ts";
import { acceptTools, addTool, listTools, newTools, reloadTools, setToolRule, type ToolDecision } from "./tool-commands.ts";

/** `xworkmate tools ...` */
export function addTools(program: Command, context: ProgramContext): void {
	const tools = program.command("tools").description("List, check, add and accept the tools that programs can call");
	const named = (id: string) => checked(IntegrationId.safeParse(id), "the name of an integration, such as calendar");
	const add = (name: string, description: string) =>
		tools.command(name, name === "list" ? { isDefault: true } : {}).description(description);
	const performed =
		<Given>(act: (output: Output, given: Given) => ReturnType<Act>) =>
		(given: Given, flags: { json?: boolean }) =>
			perform(context, flags, (output) => act(output, given));
	add("list", "List integrations with their state, problems and tools")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listTools));
	add("check", "Check a folder of tools: types, ids, schemas, and whether it loads")
		.argument("<folder>", "The integration's folder")
		.addOption(json)
		.action(async (folder: string, flags: { json?: boolean }) => context.done(await context.checkTools(folder, flags.json === true)));
	add("new", "Create an integration with two example tools, and accept its code")
		.argument("<integration>", "The integration's name", named)
		.addOption(json)
		.action(performed(newTools));
	add("add", "Copy an example into your tools, and accept its code")
		.argument("<example>", "The example's name, such as calendar", (name: string) =>
			named(name.replace(/^(?:\.\/)?examples\/tools\//, "").replace(/\/$/, "")),
		)
		.addOption(json)
		.action(performed(addTool));
	add("accept", "Accept the code of an integration")
		.argument("<integration>", "The integration's name", named)
		.option("--hash <hash>", "Accept only the version with this hash; give the whole hash, or at least its first 12 digits", hashDigits)
		.addOption(json)
		.action((integration: IntegrationId, flags: { hash?: string; json?: boolean }) =>
			perform(context, flags, (output) => acceptTools(output, integration, flags.hash)),
		);
	add("reload", "Reload the files of one integration, or of all")
		.argument("[integration]", "The integration's name", named)
		.addOption(json)
		.action(performed(reloadTools));
	add("policy", "Set your rule for a tool")
		.argument("<tool>", "The tool's id, such as calendar.events.create", (id: string) => checked(ToolId.safeParse(id), "the id of a tool"))
		.addArgument(
			new Argument("<decision>", "What happens when it is called; inherit removes your rule").choices(["allow", "ask", "deny", "inherit"]),
		)
		.addOption(json)
		.action((toolId: ToolId, decision: ToolDecision, flags: { json?: boolean }) =>
			perform(context, flags, (output) => setToolRule(output, toolId, decision)),
		);
}
