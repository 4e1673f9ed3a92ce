import type { Command } from "commander";
import { json, type ProgramContext } from "../parts/command-parts.ts";
import type { ExitCode } from "../words/exit-code.ts";
import type { ConfigDeps } from "./config-commands.ts";

const KEY = "The setting's name in config.json, its environment variable or its flag";

/** `xworkmate config ...`. Its code is loaded only when it is used. */
export function addConfig(program: Command, context: ProgramContext): void {
	const config = program.command("config").description("Show and change settings, and see where each value comes from");
	const use = async (act: (commands: typeof import("./config-commands.ts"), deps: ConfigDeps) => Promise<ExitCode> | ExitCode) =>
		context.done(await context.config(async (deps) => act(await import("./config-commands.ts"), deps)));
	config
		.command("list", { isDefault: true })
		.description("List every setting with its value and where the value comes from")
		.addOption(json)
		.action((flags: { json?: boolean }) => use((commands, deps) => commands.listConfig(deps, flags.json === true)));
	config
		.command("get")
		.description("Print the value of a setting")
		.argument("<setting>", KEY)
		.addOption(json)
		.action((name: string, flags: { json?: boolean }) => use((commands, deps) => commands.getConfig(deps, name, flags.json === true)));
	config
		.command("set")
		.description("Write a setting to config.json")
		.argument("<setting>", KEY)
		.argument("<values...>", "The value, or every item of a list")
		.action((name: string, values: string[]) => use((commands, deps) => commands.setConfig(deps, name, values)));
	config
		.command("unset")
		.description("Remove a setting from config.json")
		.argument("<setting>", KEY)
		.action((name: string) => use((commands, deps) => commands.unsetConfig(deps, name)));
	config
		.command("secret")
		.description("Ask for a secret and store it in its own file")
		.argument("<setting>", KEY)
		.option("--remove", "Remove the stored secret")
		.action((name: string, flags: { remove?: boolean }) =>
			use((commands, deps) => {
				const read = () => context.readSecret(`Paste ${name} here (hidden as you type): `);
				return commands.secretConfig(deps, name, flags.remove === true ? undefined : read);
			}),
		);
	config
		.command("edit")
		.description("Open config.json in your editor; it is saved only if it is valid")
		.action(() =>
			use(async (_, deps) => {
				const { editConfig } = await import("./edit-config.ts");
				return editConfig(deps);
			}),
		);
	config
		.command("apply")
		.description("Restart the running bridge if a setting needs it")
		.option("--restart", "Restart it in any case, for example because providers.json was changed")
		.action((flags: { restart?: boolean }) => use((commands, deps) => commands.applyConfig(deps, flags.restart === true)));
	config
		.command("path")
		.description("Print the path of config.json")
		.action(() => use((commands, deps) => commands.pathConfig(deps)));
}
