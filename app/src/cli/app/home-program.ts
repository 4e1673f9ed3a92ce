import { type Command, InvalidArgumentError, Option } from "commander";
import { json, type ProgramContext } from "../parts/command-parts.ts";

/** Users don't type `background`: commands start it when they need an app. */
export function addBackground(program: Command, context: ProgramContext): void {
	program
		.command("stop")
		.description("Stop the app that runs in the background, with its bridge and the runs on this computer")
		.action(async () => context.done(await context.stop()));
	program
		.command("background", { hidden: true })
		.description("Run the app without a terminal")
		.addOption(new Option("--report", "Report the result of the start on a pipe").hideHelp())
		.action(async (how: { report?: boolean }) => context.done(await context.background(how)));
}

export function addService(program: Command, { service: act, done }: ProgramContext): void {
	const service = program.command("service").description("Keep XWorkmate running in the background, starting at login");
	service
		.command("status", { isDefault: true })
		.description("Show whether the service is installed and running")
		.addOption(json)
		.action(async (flags: { json?: boolean }) => done(await act(flags.json === true ? "status as JSON" : "status")));
	service
		.command("install")
		.description("Write the service's file and start the service")
		.action(async () => done(await act("install")));
	service
		.command("uninstall")
		.description("Stop the service and remove its file; threads and files are kept")
		.action(async () => done(await act("uninstall")));
}

export function addBackup(program: Command, context: ProgramContext): void {
	program
		.command("backup")
		.description("Back up the data folder, except installed agents, to one file; works even during runs")
		.argument("<file>", "The file to write; it must not exist yet", pathOfFile)
		.addOption(json)
		.action(async (file: string, flags: { json?: boolean }) => context.done(await context.backup(file, flags.json === true)));
	program
		.command("restore")
		.description("Restore the data folder from a backup")
		.argument("<file>", "A file written by the backup command", pathOfFile)
		.option("--replace", "Move the current data folder aside, and restore the backup in its place")
		.addOption(json)
		.action(async (file: string, { replace = false, json: asJson = false }: { replace?: boolean; json?: boolean }) =>
			context.done(await context.restore(file, { replace, json: asJson })),
		);
}

/** An empty path would name the current folder. */
function pathOfFile(path: string): string {
	if (path !== "") return path;
	throw new InvalidArgumentError("It must be the path of a file.");
}
