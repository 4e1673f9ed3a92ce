import { Command } from "commander";
import { commandLine } from "../text/command-line.ts";

/**
 * Gives a command with subcommands its own `help`, which refuses unknown words. Commander's own `help` would print the whole help for an
 * unknown word, and a group with a default command would pass the word to that command.
 */
export function addHelp(parent: Command): void {
	parent.helpCommand(false);
	parent
		.command("help")
		.description("Show help for a command")
		.argument("[command...]", "The command to show help for")
		.action((words: readonly string[]) => words.reduce(findCommand, parent).help());
	const refuseUnknown = () => {
		const [word] = parent.args;
		if (word !== undefined && !word.startsWith("-")) findCommand(parent, word);
	};
	parent.hook("preSubcommand", refuseUnknown);
	// The program itself has no default command, so the hook does not run for an unknown word, and Commander emits this event instead.
	parent.on("command:*", refuseUnknown);
	// With --help, Commander would print the parent's help for an unknown word.
	parent.on("beforeHelp", refuseUnknown);
}

/** Adds a hint to every usage error of a command and its subcommands: the command line that shows the command's help. */
export function addHelpHints(command: Command, words: readonly string[] = []): void {
	command.showHelpAfterError(`(See: ${commandLine([...words, "--help"].join(" "))})`);
	for (const part of command.commands) addHelpHints(part, [...words, part.name()]);
}

/** Words that the page uses for a subject, each with the command's own word for it. */
const otherNames: ReadonlyMap<string, string> = new Map([
	["account", "auth"],
	["accounts", "auth"],
	["permissions", "grants"],
	["requests", "approvals"],
	["runs", "tasks"],
	["settings", "config"],
]);

/** @throws CommanderError for an unknown subcommand, after printing an error that suggests similar names */
function findCommand(parent: Command, word: string): Command {
	const found = parent.commands.find((command) => command.name() === word);
	if (found !== undefined) return found;
	const meant = otherNames.get(word);
	if (parent.parent === null && meant !== undefined)
		parent.error(`error: unknown command '${word}'\n(Did you mean ${meant}?)`, { code: "commander.unknownCommand" });
	// Commander suggests similar names only if there is no default command.
	const plain = new Command(parent.name()).copyInheritedSettings(parent).helpCommand("help");
	for (const command of parent.commands) plain.command(command.name());
	plain.parse([word], { from: "user" });
	throw new RangeError(`${word} was refused`);
}
