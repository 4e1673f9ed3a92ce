import { Command } from "commander";

/**
 * Gives a command with commands in it its own `help`, and refuses a word that is none of them. Commander's `help` prints
 * the whole help for such a word, and a group with a default command takes it for an argument of that one.
 */
export function addHelp(parent: Command): void {
	parent.helpCommand(false);
	parent
		.command("help")
		.description("Show help for a command")
		.argument("[command...]", "The command's words")
		.action((words: readonly string[]) => words.reduce(findCommand, parent).help());
	parent.hook("preSubcommand", () => {
		const [word] = parent.args;
		if (word !== undefined && !word.startsWith("-")) findCommand(parent, word);
	});
}

/** @throws CommanderError for a word that is no command there, once it and near names are printed */
function findCommand(parent: Command, word: string): Command {
	const found = parent.commands.find((command) => command.name() === word);
	if (found !== undefined) return found;
	// Commander names near commands only where none is the default.
	const plain = new Command(parent.name()).copyInheritedSettings(parent).helpCommand("help");
	for (const command of parent.commands) plain.command(command.name());
	plain.parse([word], { from: "user" });
	throw new RangeError(`${word} was refused`);
}
